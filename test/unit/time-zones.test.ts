import { lastDays } from '@tillhook/server/src/kit/time-zones.ts';
import test from 'ava';

const starts = (moment: string, count: number, zone: string) =>
  lastDays(new Date(moment), count, zone).map((start) => start.toISOString().replace(':00.000Z', 'Z'));

for (const [zone, moment, expected, why] of [
  ['UTC', '2026-11-21T00:00:00Z', ['2026-11-20T00:00Z', '2026-11-21T00:00Z'], 'a day begins with midnight'],
  ['Africa/Lagos', '2026-11-20T22:59:59Z', ['2026-11-18T23:00Z', '2026-11-19T23:00Z'], 'an hour before UTC'],
  ['Africa/Lagos', '2026-11-20T23:00:00Z', ['2026-11-19T23:00Z', '2026-11-20T23:00Z'], 'an hour before UTC'],
  ['Asia/Kolkata', '2026-11-21T10:15:00Z', ['2026-11-19T18:30Z', '2026-11-20T18:30Z'], 'half an hour'],
  ['Asia/Kathmandu', '2026-11-21T10:15:00Z', ['2026-11-19T18:15Z', '2026-11-20T18:15Z'], 'a quarter of an hour'],
  ['America/New_York', '2026-03-09T12:00:00Z', ['2026-03-08T05:00Z', '2026-03-09T04:00Z'], 'a day of 23 hours'],
  ['America/New_York', '2026-11-02T12:00:00Z', ['2026-11-01T04:00Z', '2026-11-02T05:00Z'], 'a day of 25 hours'],
  ['Australia/Lord_Howe', '2026-04-06T12:00:00Z', ['2026-04-04T13:00Z', '2026-04-05T13:30Z'], 'half an hour longer'],
  ['Africa/Cairo', '2026-04-25T12:00:00Z', ['2026-04-23T22:00Z', '2026-04-24T21:00Z'], 'clocks skip midnight'],
  ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', ['2025-12-30T10:00Z', '2025-12-31T10:00Z'], '14 hours ahead'],
] as const) {
  test(`the days of ${zone} until ${moment} begin at ${expected.join(' and ')}: ${why}`, (t) => {
    t.deepEqual(starts(moment, 2, zone), [...expected]);
  });
}

test('each day of every time zone begins with a new date, and follows the day before', (t) => {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const zone of zones) {
    const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    const days = lastDays(new Date('2026-11-29T12:00:00Z'), 366, zone);
    const dates = days.map((start) => date.format(start));
    const before = days.map((start) => date.format(start.getTime() - 1));

    t.is(dates.at(-1), date.format(new Date('2026-11-29T12:00:00Z')), zone);
    t.is(new Set(dates).size, 366, zone);
    t.deepEqual(before.slice(1), dates.slice(0, -1), zone);
    t.true(
      days.every((start) => start.getTime() % 900_000 === 0),
      `${zone} begins its days at quarters of an hour`,
    );
  }
  t.true(zones.length > 300);
});
