import { chooseFormats } from '@tillhook/dashboard/src/kit/locale.ts';
import { timesOf } from '@tillhook/dashboard/src/kit/period.ts';
import test from 'ava';

for (const [timeZone, now, from, to] of [
  ['UTC', '2026-11-29T10:00:00.000Z', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ['Africa/Lagos', '2026-12-31T23:30:00.000Z', '2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['America/New_York', '2026-03-15T12:00:00.000Z', '2026-02-01T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
] as const) {
  test.serial(`at ${now}, the last month in ${timeZone} is the whole month before`, (t) => {
    chooseFormats({ language: 'en-GB', timeZone });

    t.deepEqual(timesOf('last_month', Date.parse(now)), { from, to });
  });
}
