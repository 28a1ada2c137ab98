/**
 * When a failed delivery is tried again. Attempts are 1-based, here and everywhere: attempt 1 is the first, and each delay
 * of the list allows one more. Pure: the caller hands in the time and the randomness.
 */

/** What the receiver, or the lack of one, made of an attempt. */
export interface AttemptOutcome {
  statusCode: number | null;
  /** Set when there was no complete answer. */
  error: string | null;
  /** The answer's header of that name, as it came. */
  retryAfter: string | null;
  endedAt: Date;
}

export type NextStep =
  | { step: 'delivered' }
  | { step: 'retry'; delayMs: number }
  | { step: 'give-up' }
  /** The receiver said that it is gone: no more attempts, and the endpoint becomes inactive. */
  | { step: 'disable' };

interface Allowance {
  attempt: number;
  delaysMs: readonly number[];
  /** From 0 to below 1. */
  random: () => number;
}

const jitter = 0.2;
const longestRetryAfterMs = 6 * 3_600_000;
const mayAskToWait = [429, 502, 503, 504];

/** Choice: only a complete 2xx is a success; the interface document names no criterion. */
export function nextStep(outcome: AttemptOutcome, { attempt, delaysMs, random }: Allowance): NextStep {
  const { statusCode, error } = outcome;
  if (error === null && statusCode !== null && statusCode >= 200 && statusCode < 300) return { step: 'delivered' };
  if (statusCode === 410) return { step: 'disable' };
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return { step: 'give-up' };
  const jittered = delayMs * (1 - jitter + 2 * jitter * random());
  // The receiver may ask for a longer pause, never for a shorter one.
  return { step: 'retry', delayMs: Math.round(Math.max(jittered, askedMs(outcome))) };
}

/** `Retry-After` holds seconds or a date. Anything else asks for nothing. */
function askedMs({ statusCode, retryAfter, endedAt }: AttemptOutcome): number {
  if (retryAfter === null || statusCode === null || !mayAskToWait.includes(statusCode)) return 0;
  const isSeconds = /^\d+$/.test(retryAfter);
  const asked = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - endedAt.getTime();
  return Number.isNaN(asked) ? 0 : Math.min(asked, longestRetryAfterMs);
}
