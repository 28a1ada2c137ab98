import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the work is done, or when the time is over. The work is not stopped. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([sleep(limitMs, undefined, { ref: false }), work]);
}
