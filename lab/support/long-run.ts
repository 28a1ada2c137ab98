/** For programs that run for minutes: their end by a signal or a time limit, and the reading of their flags. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Rejects when the process gets Ctrl-C or SIGTERM, so that the caller can stop what it has started. */
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
