import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  total: number;
  perSecond: number;
  begin(index: number): Promise<unknown>;
}

/** Begins each piece of work in its own interval, whether or not earlier ones have ended, and waits for all. */
export async function atSteadyPace({ total, perSecond, begin }: Pace): Promise<void> {
  const intervalMs = 1000 / perSecond;
  const startedAt = performance.now();
  const begun: Promise<unknown>[] = [];
  for (let index = 0; index < total; index += 1) {
    // Anywhere in it: work in step with somebody's timer would always meet it early, or always late.
    const dueAt = startedAt + (index + Math.random()) * intervalMs;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const piece = begin(index);
    // Whatever went wrong is heard of at the end.
    piece.catch(() => {});
    begun.push(piece);
  }
  await Promise.all(begun);
}
