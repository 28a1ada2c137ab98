import { setTimeout as sleep } from 'node:timers/promises';

export interface TimeLimits {
  connectMs: number;
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };

/** The work is not stopped when the time is up. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([sleep(limitMs, undefined, { ref: false }), work]);
}

/**
 * The limit is counted in ticks of a timer, not by the clock. While this process is too busy to read a response, it
 * counts at most one tick, so it still has time to read the response.
 */
const ticks = 50;

/** Time in which this process was too busy to read the response does not count towards the limit. */
export function inOwnTime<Answer>(limitMs: number, answer: Promise<Answer>, late: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let ticksLeft = ticks;
    const timer = setInterval(() => {
      ticksLeft -= 1;
      if (ticksLeft > 0) return;
      stop();
      reject(late());
    }, limitMs / ticks);
    const stop = () => clearInterval(timer);
    void answer.then(resolve, reject).then(stop);
  });
}
