/** What ends a run of minutes other than its own end, and what its flags may be. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Rejects at Ctrl-C, so that whatever was started can be stopped. */
export function rejectOnSignal(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
  });
}

export async function rejectAfter(mostMs: number, advice: string): Promise<never> {
  await sleep(mostMs, undefined, { ref: false });
  throw new Error(`It took longer than ${mostMs / 60_000} minutes. ${advice}`);
}

export function readWholeNumber(flag: string, given: unknown): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${flag} is a whole number above zero.`);
  return value;
}
