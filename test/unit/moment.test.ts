import test from 'ava';
import { ArgumentError } from '../../developer/src/terminal/environment.ts';
import { readDurationMs, readTime } from '../../developer/src/terminal/moment.ts';

const durations: [text: string, ms: number][] = [
  ['500ms', 500],
  ['90s', 90_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['36525d', 36_525 * 86_400_000],
];

test('a duration is a whole number and a unit', (t) => {
  for (const [text, ms] of durations) t.is(readDurationMs('duration', text), ms, text);
});

const wrong = ['', '5', '1.5h', '2 hours', '2x', '-2h', '36526d', '999999d', '9999999y', '1e9d', '2h ', '5y'];

for (const text of wrong) {
  test(`"${text}" is neither a duration nor a time in the past`, (t) => {
    const advice = { instanceOf: ArgumentError };
    t.regex(t.throws(() => readDurationMs('--tolerance', text), advice).advice, /90s, 15m, 2h or 3d/);
    t.regex(t.throws(() => readTime('--since', text), advice).advice, /90s, 2h or 3d, or a time/);
  });
}

test('a time is a duration before now, a day, or a timestamp', (t) => {
  const hourAgo = Date.parse(readTime('--until', '1h'));

  t.true(hourAgo <= Date.now() - 3_600_000);
  t.is(readTime('--until', '2026-11-21'), '2026-11-21T00:00:00.000Z');
  t.is(readTime('--until', '2026-11-21T10:00:00+01:00'), '2026-11-21T09:00:00.000Z');
});
