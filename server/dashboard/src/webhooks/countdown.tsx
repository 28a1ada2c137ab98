import { useInterval } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';

/** The time until a moment, in seconds. Screen readers do not read every change. */
export function Countdown({ to }: { to: string }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  const { start, stop } = useInterval(() => setNow(Date.now()), 1_000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ticks while it is shown.
  useEffect(() => {
    start();
    return stop;
  }, []);
  return (
    <time dateTime={to} role="timer" aria-live="off">
      {durationWords(Math.max(0, Date.parse(to) - now))}
    </time>
  );
}

/** `1 d 02:03:04`, without leading units that are zero. */
function durationWords(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const days = Math.floor(seconds / 86_400);
  return days > 0 ? `${days} d ${clock}` : clock;
}
