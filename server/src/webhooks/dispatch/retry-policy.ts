/** Attempts are numbered from 1, and each retry delay allows one retry. */
import type { NextStep } from '../queue/record.ts';

export interface AttemptOutcome {
  statusCode: number | null;
  /** The response header `Retry-After`, not parsed. */
  retryAfter: string | null;
  endedAt: Date;
}

interface RetryRules {
  attempt: number;
  delaysMs: readonly number[];
  random: () => number;
}

const jitter = 0.2;
/** Without this limit, a receiver could postpone a retry for years. */
const maxRetryAfterMs = 6 * 3_600_000;
/** With a status that is not in this list, `Retry-After` is ignored. */
const pauseStatuses = [429, 502, 503, 504];

/** Choice: only a 2xx status means success, because the interface document does not define success. */
export function nextStep(outcome: AttemptOutcome, { attempt, delaysMs, random }: RetryRules): NextStep {
  const { statusCode } = outcome;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { step: 'delivered' };
  if (statusCode === 410) return { step: 'disable' };
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return { step: 'give-up' };
  const jittered = delayMs * (1 - jitter + 2 * jitter * random());
  // The receiver may ask for a longer pause, never for a shorter one.
  return { step: 'retry', delayMs: Math.round(Math.max(jittered, requestedPauseMs(outcome))) };
}

function requestedPauseMs({ statusCode, retryAfter, endedAt }: AttemptOutcome): number {
  if (retryAfter === null || statusCode === null || !pauseStatuses.includes(statusCode)) return 0;
  const isSeconds = /^\d+$/.test(retryAfter);
  const pauseMs = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - endedAt.getTime();
  return Number.isNaN(pauseMs) ? 0 : Math.min(pauseMs, maxRetryAfterMs);
}
