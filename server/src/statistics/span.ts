/** A time, cut into hours or days of UTC. */
import { invalid } from '../kit/errors.ts';

export interface Span {
  from: Date;
  to: Date;
  interval: IntervalName;
}

export type IntervalName = keyof typeof intervalMs;

export interface AskedSpan {
  from?: string;
  to?: string;
  interval?: IntervalName;
}

export const dayMs = 86_400_000;
const intervalMs = { hour: 3_600_000, day: dayMs };
const defaultSpanMs = 7 * intervalMs.day;
const maxIntervals = 750;
/** No calendar of ours has a year 0. */
const firstMoment = new Date('0001-01-01T00:00:00Z');

/** What was asked, and where something was not, the seven days before `to`, which is now. */
export function spanOf({ from, to, interval = 'day' }: AskedSpan, now: Date): Span {
  const end = to ? new Date(to) : now;
  const start = from ? new Date(from) : new Date(end.getTime() - defaultSpanMs);
  if (start < firstMoment) throw invalid('invalid_parameter', 'to', 'must leave seven days before it');
  if (start >= end) throw invalid('invalid_parameter', 'from', 'must be before to');
  if ((end.getTime() - start.getTime()) / intervalMs[interval] > maxIntervals) {
    throw invalid('invalid_parameter', 'from', `must be at most ${maxIntervals} intervals before to`);
  }
  return { from: start, to: end, interval };
}

/**
 * So many days of UTC until now, of which today is the last: a single one is shown by the hour.
 * See docs/decisions/figures.md, "A period of the overview is days of UTC, today included".
 */
export function spanOfDays(days: number, now: Date): Span {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return { from: new Date(today - (days - 1) * dayMs), to: now, interval: days === 1 ? 'hour' : 'day' };
}

/** So many hours of UTC until now, of which the present one is the last. */
export function spanOfHours(hours: number, now: Date): Span {
  const present = Math.floor(now.getTime() / intervalMs.hour) * intervalMs.hour;
  return { from: new Date(present - (hours - 1) * intervalMs.hour), to: now, interval: 'hour' };
}

/** Where the intervals begin, in milliseconds: the first with the hour or day in which the span begins. */
export function startsOf({ from, to, interval }: Span): number[] {
  const length = intervalMs[interval];
  const first = Math.floor(from.getTime() / length) * length;
  const count = Math.ceil((to.getTime() - first) / length);
  return Array.from({ length: count }, (_, index) => first + index * length);
}
