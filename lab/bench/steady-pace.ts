import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  total: number;
  perSecond: number;
  begin(index: number): Promise<unknown>;
}

/** Begins one piece of work in each interval, even if earlier work has not ended. */
export async function atSteadyPace({ total, perSecond, begin }: Pace): Promise<void> {
  const intervalMs = 1000 / perSecond;
  const startedAt = performance.now();
  const begun: Promise<unknown>[] = [];
  for (let index = 0; index < total; index += 1) {
    // Work begins at a random moment, because regular moments could stay in step with a timer of the server.
    const dueAt = startedAt + (index + Math.random()) * intervalMs;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const piece = begin(index);
    // `Promise.all` below reports a failure.
    piece.catch(() => {});
    begun.push(piece);
  }
  await Promise.all(begun);
}
