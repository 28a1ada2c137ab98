import ms, { type StringValue } from 'ms';
import { ArgumentError } from './environment.ts';

export function readDurationMs(option: string, text: string): number {
  const duration = durationMs(text);
  if (duration !== undefined) return duration;
  const isTooLong = /^\d+(ms|s|m|h|d)$/.test(text);
  const what = option.startsWith('--') ? `value of ${option}` : option;
  const problem = isTooLong ? `is too long: "${text}"` : `must be a whole number and a unit, not "${text}"`;
  throw new ArgumentError(`The ${what} ${problem}.`, {
    advice: 'Write it as 90s, 15m, 2h or 3d.',
  });
}

/** Reads a time, or a duration before now, such as `2h`. Returns the time in ISO 8601. */
export function readTime(option: string, text: string): string {
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const time = Date.parse(text);
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  const duration = durationMs(text);
  if (duration !== undefined) return new Date(Date.now() - duration).toISOString();
  throw new ArgumentError(`${option} must be a duration or a time, not "${text}".`, {
    advice: 'Write how long ago it was, such as 90s, 2h or 3d, or a time such as 2026-11-21T10:00:00Z.',
  });
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

export function timeOfDay(moment: Date): string {
  return moment.toTimeString().slice(0, 8);
}

export function localTime(iso: string): string {
  const moment = new Date(iso);
  const day = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${timeOfDay(moment)}`;
}

/** Formats a duration in words: `40 seconds`, `2 hours`, `366 days`. */
export function inWords(durationMs: number): string {
  return ms(Math.round(durationMs / 1000) * 1000 || Math.round(durationMs), { long: true });
}

/**
 * Choice: a duration is a whole number and a unit. The library `ms` alone would read `5` as five milliseconds, which no
 * user means, and would accept more years than a date can have.
 */
export function durationMs(text: string): number | undefined {
  const length = /^\d{1,6}(ms|s|m|h|d)$/.test(text) ? ms(text as StringValue) : undefined;
  return length === undefined || length > maxDurationMs ? undefined : length;
}

/** The maximum duration: a hundred years. */
const maxDurationMs = 36_525 * 86_400_000;
