import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessorError } from './port.ts';

/** The time limit is longer than any processor takes to answer, and shorter than a customer is willing to wait. */
const answerTimeoutMs = 25_000;

export async function answerInTime<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  try {
    return await Promise.race([call(), rejectAfterTimeout(timer.signal)]);
  } finally {
    timer.abort();
  }
}

/** The timeout of a processor's client is not enough: a response that arrives byte by byte may never exceed it. */
async function rejectAfterTimeout(signal: AbortSignal): Promise<never> {
  await sleep(answerTimeoutMs, undefined, { signal });
  throw new ProcessorError(`no answer within ${answerTimeoutMs / 1000} s`);
}

/** Only the message of a `ProcessorError` may be logged. The message of another error may contain card data. */
export function reasonOf(error: unknown): string {
  return error instanceof ProcessorError ? error.message : (error as Error).name;
}
