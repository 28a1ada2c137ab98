import { type ReactNode, useSyncExternalStore } from 'react';
import { isolated, lazyFormat, otherZone } from './locale.ts';

/**
 * The direction is that of the user's language, because a date in Arabic would be mixed up in an English sentence.
 * Choice: the exact time is in the `title` attribute and not in a tooltip, because a list shows dozens of times.
 */
export function Moment({ at }: { at: string }): ReactNode {
  const now = useNow();
  return (
    <time dir="auto" dateTime={at} title={exactTime(at)}>
      {relative(begun(Date.parse(at), now), now)}
    </time>
  );
}

/** The time at which the service will do something. After that time, "now" is shown until the service has done it. */
export function ComingMoment({ at }: { at: string }): ReactNode {
  const now = useNow();
  return (
    <time dir="auto" dateTime={at} title={exactTime(at)}>
      {relative(Math.max(Date.parse(at), now), now)}
    </time>
  );
}

export function ExactMoment({ at }: { at: string }): ReactNode {
  return (
    <time dir="auto" dateTime={at} title={exactTime(at)}>
      {local().format(new Date(at))}
    </time>
  );
}

/** Another time zone than the browser's is named beside the time: `28 Nov 2026, 21:00:00 GMT+9`. */
const local = lazyFormat(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: otherZone() === undefined ? 'medium' : 'long',
      timeZone,
    }),
);
const utc = lazyFormat(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }),
);
const day = lazyFormat(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone }),
);
const since = lazyFormat((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' }));

export function exactTime(at: string): string {
  const date = new Date(at);
  const [own, inUtc] = [local(), utc()].map((format) => isolated(format.format(date)));
  return `${own} (${otherZone() ?? 'local time'}), ${inUtc} UTC`;
}

const steps = [
  { unit: 'second', ms: 1_000, upTo: 60 },
  { unit: 'minute', ms: 60_000, upTo: 60 },
  { unit: 'hour', ms: 3_600_000, upTo: 24 },
  { unit: 'day', ms: 86_400_000, upTo: 7 },
] as const;

/** Returns "now", "5 minutes ago" or "in 3 hours"; after more than a week, the date. */
export function relative(at: number, now: number): string {
  const away = at - now;
  if (Math.abs(away) < 5_000) return since().format(0, 'second');
  const step = steps.find(({ ms, upTo }) => Math.abs(away) < ms * upTo);
  return step ? since().format(Math.trunc(away / step.ms), step.unit) : day().format(at);
}

/**
 * Returns `now` for an `at` less than 15 seconds in the future, because the clocks of two machines differ a little, and
 * the clock of this page ticks every five seconds.
 */
export function begun(at: number, now: number): number {
  return at > now && at - now < 15_000 ? now : at;
}

/** All relative times of the page share one clock. It runs while at least one relative time is shown. */
const clock = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
};

function useNow(): number {
  return useSyncExternalStore(subscribe, () => clock.now);
}

function subscribe(listener: () => void): () => void {
  clock.listeners.add(listener);
  // The clock has been stopped since the last relative time disappeared, so its time is old.
  if (clock.timer === undefined) clock.now = Date.now();
  clock.timer ??= setInterval(tick, 5_000);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clock.timer = undefined;
  };
}

function tick(): void {
  clock.now = Date.now();
  for (const listener of clock.listeners) listener();
}
