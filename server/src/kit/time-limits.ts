import { setTimeout as sleep } from 'node:timers/promises';

/** The time limits for a call to the database, after which it fails. */
export interface TimeLimits {
  /** The time to connect, or to wait for a connection when all connections of the pool are in use. */
  connectMs: number;
  /** The time for one statement. */
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };

/** Resolves when the work is done, or when the time limit is reached. The work is not stopped. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([sleep(limitMs, undefined, { ref: false }), work]);
}

/**
 * The number of times that the timer of a limit must fire. Each time counts only once, even if this process notices it
 * late. A response that this process reads in several turns of the event loop, such as that of a new connection, needs
 * far fewer turns.
 */
const ticks = 50;

/**
 * Waits for a response of another process, and fails with `late` after the time limit. Time in which this process was
 * too busy to read a response does not count, because the other process did not cause it.
 */
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
