import { invalid } from '../kit/errors.ts';
import { dayMs, hourMs } from '../kit/hours.ts';
import { lastDays } from '../kit/time-zones.ts';

export interface Span {
  from: Date;
  to: Date;
  interval: IntervalName;
  /** The start of each interval. The first interval may begin before `from`. */
  starts: Date[];
}

export type IntervalName = keyof typeof intervalMs;

export interface SpanQuery {
  from?: string;
  to?: string;
  interval?: IntervalName;
}

const intervalMs = { hour: hourMs, day: dayMs };
const quarterMs = hourMs / 4;
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
  return inIntervals({ from: start, to: end, interval });
}

export interface Periods {
  now: Span;
  /** Is one interval. */
  before: Span;
}

/**
 * The last `days` days of the time zone until now, today included, and as many days before. A single day is divided
 * into hours. The earlier period ends at the same time of the day, at a quarter of an hour, because amounts are stored
 * by quarters.
 * See docs/decisions/figures.md, "A period of the overview is days of the merchant, today included".
 */
export function periodsOf(days: number, now: Date, timeZone: string): Periods {
  const starts = lastDays(now, 2 * days, timeZone);
  const [first = now, present = now] = [starts[0], starts[days]];
  const sinceMidnight = now.getTime() - (starts.at(-1) ?? now).getTime();
  const sameTime = (starts[days - 1] ?? now).getTime() + Math.floor(sinceMidnight / quarterMs) * quarterMs;
  const earlierEnd = new Date(Math.min(sameTime, present.getTime()));
  const before: Span = { from: first, to: earlierEnd, interval: 'day', starts: [first] };
  if (days === 1) return { now: inEqualParts({ from: present, to: now, interval: 'hour' }, present.getTime()), before };
  const begun = starts.slice(days).filter((start) => start < now);
  return { now: { from: present, to: now, interval: 'day', starts: begun }, before };
}

/** The last `hours` UTC hours until now, including the current hour. */
export function spanOfHours(hours: number, now: Date): Span {
  const present = Math.floor(now.getTime() / hourMs) * hourMs;
  return inIntervals({ from: new Date(present - (hours - 1) * hourMs), to: now, interval: 'hour' });
}

/** Hours and days of UTC. */
function inIntervals(span: Omit<Span, 'starts'>): Span {
  const length = intervalMs[span.interval];
  return inEqualParts(span, Math.floor(span.from.getTime() / length) * length);
}

function inEqualParts(span: Omit<Span, 'starts'>, first: number): Span {
  const length = intervalMs[span.interval];
  const count = Math.ceil((span.to.getTime() - first) / length);
  return { ...span, starts: Array.from({ length: count }, (_, index) => new Date(first + index * length)) };
}

/** The hours of UTC that lie in two intervals, because a time zone is not whole hours away from UTC. */
export function dividedHours({ starts }: Pick<Span, 'starts'>): Date[] {
  const inside = starts.map((start) => start.getTime()).filter((start) => start % hourMs !== 0);
  return inside.map((start) => new Date(Math.floor(start / hourMs) * hourMs));
}
