import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessorError } from './port.ts';

/** Longer than any processor takes to answer, and shorter than a customer is willing to wait. */
const answerTimeoutMs = 25_000;

/** Asks a processor. Throws when it gave no answer within the time limit. */
export async function answerInTime<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  try {
    return await Promise.race([question(), rejectAfterTimeout(timer.signal)]);
  } finally {
    timer.abort();
  }
}

/** Says why there was no answer. Of most errors only the name may be logged: the message may contain card data. */
export function reasonOf(error: unknown): string {
  return error instanceof ProcessorError ? error.message : (error as Error).name;
}

/** Rejects after the time limit. A processor client's own time-out may not end an answer that arrives byte by byte. */
async function rejectAfterTimeout(signal: AbortSignal): Promise<never> {
  await sleep(answerTimeoutMs, undefined, { signal });
  throw new ProcessorError(`no answer within ${answerTimeoutMs / 1000} s`);
}
