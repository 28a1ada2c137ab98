import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessorError } from './port.ts';

/**
 * The time limit for a call: longer than any processor takes to answer, and shorter than a customer is willing to
 * wait.
 */
const answerTimeoutMs = 25_000;

/** Calls a processor. Throws a `ProcessorError` if it gives no answer within the time limit. */
export async function answerInTime<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  try {
    return await Promise.race([call(), rejectAfterTimeout(timer.signal)]);
  } finally {
    timer.abort();
  }
}

/**
 * Rejects when the time limit for a call is reached. The timeouts of a processor's client do not suffice, because the
 * client may not time out while the response arrives byte by byte.
 */
async function rejectAfterTimeout(signal: AbortSignal): Promise<never> {
  await sleep(answerTimeoutMs, undefined, { signal });
  throw new ProcessorError(`no answer within ${answerTimeoutMs / 1000} s`);
}

/**
 * Returns the text to log for a failed call. The message of an error that is not a `ProcessorError` may contain card
 * data, so for such an error only its name is returned.
 */
export function reasonOf(error: unknown): string {
  return error instanceof ProcessorError ? error.message : (error as Error).name;
}
