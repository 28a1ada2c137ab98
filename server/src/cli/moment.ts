/**
 * Times and durations in the formats of the developer's commands: `90s`, `15m`, `2h`, `3d`, `2026-11-01`,
 * `2026-11-01T08:00:00Z`.
 */
import { InvalidArgumentError } from 'commander';
import ms, { type StringValue } from 'ms';

export type Moment = { at: string } | { agoMs: number };

/**
 * Choice: a duration is at most ten years, because no record is older, and the database accepts no time before the year
 * 0.
 */
const maxAgoMs = ms('10y');

export function parseMoment(text: string): Moment {
  // Without a unit, the library would read milliseconds, which an operator never means.
  return /^[\d.]+ ?[a-z]+$/i.test(text) ? { agoMs: parseAgoMs(text) } : { at: parseTime(text) };
}

function parseAgoMs(text: string): number {
  const agoMs = text.length <= 100 ? ms(text as StringValue) : undefined;
  if (agoMs !== undefined && agoMs <= maxAgoMs) return agoMs;
  throw new InvalidArgumentError('It is a length of time of at most 10 years, such as 90s, 15m, 2h or 3d.');
}

/** A day without a time means its beginning in UTC. */
export function parseTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It is a day or a time such as 2026-11-01T08:00:00Z.');
  return new Date(time).toISOString();
}

export function timeOf(moment: Moment, now: Date): string {
  return 'at' in moment ? moment.at : new Date(now.getTime() - moment.agoMs).toISOString();
}
