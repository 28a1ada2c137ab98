import { fromLocal, inZone, toLocal } from '@tillhook/dashboard/src/kit/local-moment.ts';
import { chooseFormats, cityOf, lazyFormat, locale } from '@tillhook/dashboard/src/kit/locale.ts';
import test from 'ava';

const inTimeZone = (timeZone: string) => chooseFormats({ language: 'en-GB', timeZone });

for (const [timeZone, moment, local] of [
  ['UTC', '2026-11-28T21:00:00.000Z', '2026-11-28T21:00'],
  ['Asia/Tokyo', '2026-11-28T15:00:00.000Z', '2026-11-29T00:00'],
  ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08T01:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', '2026-10-04T02:30'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00.000Z', '2026-01-01T05:45'],
  ['Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-01T00:00'],
] as const) {
  test.serial(`${moment} is ${local} in ${timeZone}, and back`, (t) => {
    inTimeZone(timeZone);

    t.is(toLocal(moment), local);
    t.is(fromLocal(local), moment);
  });
}

for (const timeZone of ['Asia/Tokyo', 'America/New_York', 'Africa/Lagos']) {
  test.serial(`a year that is not typed to its end stays as it was typed in ${timeZone}`, (t) => {
    inTimeZone(timeZone);

    for (const typed of ['0002-11-28T10:00', '0020-11-28T10:00', '0202-11-28T10:00', '1969-12-31T23:59']) {
      t.is(toLocal(fromLocal(typed)), typed);
    }
  });
}

test.serial('a time that the clock skips becomes the time after the change', (t) => {
  inTimeZone('Europe/Berlin');

  t.is(toLocal(fromLocal('2026-03-29T02:30')), '2026-03-29T03:30');
});

test.serial('a part of a time is no time', (t) => {
  for (const typed of ['', '2026-11-28T', 'soon']) t.is(fromLocal(typed), '');
  t.is(toLocal(''), '');
});

test.serial(
  'formats are made again for another language, and a zone that the browser does not know is ignored',
  (t) => {
    const number = lazyFormat((language) => new Intl.NumberFormat(language));
    inTimeZone('UTC');
    t.is(number().format(1.5), '1.5');

    chooseFormats({ language: 'de-DE', timeZone: 'Mars/Olympus' });

    t.is(number().format(1.5), '1,5');
    t.is(locale(), 'de-DE-u-nu-latn');
    t.is(inZone('From'), 'From');
  },
);

test('a city is named without its continent', (t) => {
  t.is(cityOf('America/Argentina/Buenos_Aires'), 'Buenos Aires');
});
