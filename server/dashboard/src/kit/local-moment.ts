/**
 * A `datetime-local` field shows and returns the time of the user's time zone, and all other code uses UTC.
 * See docs/decisions/dashboard.md, "Dates are typed into the browser's fields".
 */
import { lazyFormat, otherZone } from './locale.ts';

export function toLocal(moment: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? '' : new Date(at + offsetAt(at)).toISOString().slice(0, 16);
}

/** Returns an empty string when the user has typed nothing or only a part of the time. */
export function fromLocal(typed: string): string {
  const wall = Date.parse(`${typed}Z`);
  if (Number.isNaN(wall)) return '';
  // Near a change of the clock, the first offset may be that of the other side.
  return new Date(wall - offsetAt(wall - offsetAt(wall))).toISOString();
}

/** The label of a field for a time says whose time it is, unless it is the time of the browser. */
export function inZone(label: string): string {
  const zone = otherZone();
  return zone === undefined ? label : `${label} (${zone})`;
}

/**
 * The milliseconds by which the clocks of the time zone are ahead of UTC. Before 1970 the offset is that of 1970: while
 * a user types the year, the field has years such as 0020, and must show them as they were typed.
 */
function offsetAt(moment: number): number {
  const at = Math.max(0, moment - (moment % 1_000));
  const parts = new Map(
    wallClock()
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hour, minute, second] = units.map((unit) => parts.get(unit) ?? 0) as Six;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}

type Six = [number, number, number, number, number, number];
const units = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const wallClock = lazyFormat(
  (_locale, timeZone) =>
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
);
