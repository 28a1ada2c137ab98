import { setTimeout as sleep } from 'node:timers/promises';

/** The times after which a call to the database fails. */
export interface TimeLimits {
  /** The time to connect, or to wait for a connection when all connections of the pool are in use. */
  connectMs: number;
  /** The time for one statement. */
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };

/** Resolves when the work is done, or when the time is over. The work is not stopped. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([sleep(limitMs, undefined, { ref: false }), work]);
}

/**
 * The timer of a limit goes off this many times, and each time counts once, however late this process notices it. An
 * answer that this process reads in several turns, such as that of a new connection, needs far fewer turns.
 */
const ticks = 50;

/**
 * Waits for the answer of another party, and fails with `late` after this time. Time in which this process was too busy to
 * read an answer does not count: it would say nothing about the other party.
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
