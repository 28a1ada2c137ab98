import { setTimeout as sleep } from 'node:timers/promises';

/** Rejects when the process receives SIGINT (Ctrl-C) or SIGTERM, so that the caller can stop what it has started. */
export function rejectOnSignal(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
  });
}

export async function rejectAfter(maxMs: number, advice: string): Promise<never> {
  await sleep(maxMs, undefined, { ref: false });
  throw new Error(`The run took longer than ${maxMs / 60_000} minutes. ${advice}`);
}

export function readWholeNumber(flag: string, given: unknown): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${flag} is not a positive integer.`);
  return value;
}
