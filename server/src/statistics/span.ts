import { invalid } from '../kit/errors.ts';
import { dayMs, hourMs } from '../kit/hours.ts';

export interface Span {
  from: Date;
  to: Date;
  interval: IntervalName;
}

export type IntervalName = keyof typeof intervalMs;

export interface SpanQuery {
  from?: string;
  to?: string;
  interval?: IntervalName;
}

const intervalMs = { hour: hourMs, day: dayMs };
const defaultSpanMs = 7 * intervalMs.day;
const maxIntervals = 750;
/** The start of the year 1: neither Postgres nor our calendar has a year 0. */
const firstMoment = new Date('0001-01-01T00:00:00Z');

export function spanOf({ from, to, interval = 'day' }: SpanQuery, now: Date): Span {
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
 * The last `days` UTC days until now, including today. A single day is divided into hours.
 * See docs/decisions/figures.md, "A period of the overview is days of UTC, today included".
 */
export function spanOfDays(days: number, now: Date): Span {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return { from: new Date(today - (days - 1) * dayMs), to: now, interval: days === 1 ? 'hour' : 'day' };
}

/** The last `hours` UTC hours until now, including the current hour. */
export function spanOfHours(hours: number, now: Date): Span {
  const present = Math.floor(now.getTime() / intervalMs.hour) * intervalMs.hour;
  return { from: new Date(present - (hours - 1) * intervalMs.hour), to: now, interval: 'hour' };
}

export function intervalStarts({ from, to, interval }: Span): number[] {
  const length = intervalMs[interval];
  const first = Math.floor(from.getTime() / length) * length;
  const count = Math.ceil((to.getTime() - first) / length);
  return Array.from({ length: count }, (_, index) => first + index * length);
}
