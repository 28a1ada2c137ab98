/** Days of a time zone have 23 to 25 hours when its clocks change, and their starts may lie between the hours of UTC. */
import { dayMs } from './hours.ts';
import { remember } from './remember.ts';

const minuteMs = 60_000;

/** The starts of `count` days in the time zone. The last of these days contains `moment`. */
export function lastDays(moment: Date, count: number, timeZone: string): Date[] {
  const today = Math.floor(wallClock(moment.getTime(), timeZone) / dayMs) * dayMs;
  return Array.from(
    { length: count },
    (_, index) => new Date(startOfDay(today - (count - 1 - index) * dayMs, timeZone)),
  );
}

/** `date` is the midnight of a date in UTC. When the clocks skip midnight, the day starts with its first minute. */
function startOfDay(date: number, timeZone: string): number {
  const [before, after] = [date - dayMs, date + dayMs].map((at) => wallClock(at, timeZone) - at);
  if (before !== undefined && before === after) return date - before;
  let [earlier, start] = [date - dayMs, date + dayMs];
  while (start - earlier > minuteMs) {
    const middle = earlier + Math.floor((start - earlier) / 2 / minuteMs) * minuteMs;
    if (wallClock(middle, timeZone) < date) earlier = middle;
    else start = middle;
  }
  return start;
}

/** What the clocks of the time zone show at this moment, as if they showed UTC. */
function wallClock(at: number, timeZone: string): number {
  const shown = new Map(
    clocks(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 0, ...rest] = units.map((unit) => shown.get(unit) ?? 0);
  return Date.UTC(year, month - 1, ...rest) + (at - Math.floor(at / 1000) * 1000);
}

const units = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const clocks = remember(
  (timeZone) =>
    new Intl.DateTimeFormat('en', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
      timeZone,
    }),
  500,
);
