import type { Route } from './route.ts';

/** The status is null if no complete response arrived. */
interface FailedAttempt {
  route: Route;
  /** The number of the attempt; the first attempt is 1. */
  attempt: number;
  status: number | null;
  code: string | null;
  retryAfterMs: number | null;
  /** True when the call has no total time limit. */
  isEndless: boolean;
}

/**
 * With nine retries, 9,999 of 10,000 calls that begin during an outage of five seconds succeed after the outage, and a
 * call to a server that does not recover fails within 27.5 seconds.
 * See docs/decisions/sdk.md, "Retries outlive a restart of five seconds".
 */
export const defaultMaxRetries = 9;
const firstDelayMs = 500;
const maxDelayMs = 4_000;
const maxRetryAfterMs = 60_000;
/** Choice: a call without a time limit retries at least hourly, because a wrong `Retry-After` could ask for a year. */
const maxEndlessDelayMs = 60 * 60_000;

/**
 * Returns null if the call is not retried. Without an `Idempotency-Key`, a repeated POST could be carried out twice;
 * PATCH and DELETE name the wanted state, so a repeated call has no second effect.
 */
export function retryDelayMs(failed: FailedAttempt): number | null {
  const { route, attempt, status, code, retryAfterMs, isEndless } = failed;
  if (route.method === 'post' && !route.isKeyed) return null;
  if (status !== null && !isTransient(status, code)) return null;

  // The delay is random, so that clients which failed at the same time do not retry at the same time.
  const jitter = Math.random();
  // Choice: a call with a time limit waits at most a minute for `Retry-After`. For a longer delay the call fails,
  // because a retry before the end of this delay would disregard `Retry-After`.
  if (retryAfterMs !== null && isEndless) return Math.min(retryAfterMs, maxEndlessDelayMs) * (1 + jitter / 10);
  if (retryAfterMs !== null) return retryAfterMs <= maxRetryAfterMs ? retryAfterMs * (1 + jitter / 10) : null;
  return jitter * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
}

function isTransient(status: number, code: string | null): boolean {
  // A conflict with a running call of the same key is temporary. Every other conflict is permanent.
  if (status === 409) return code === 'idempotency_in_progress';
  // A retry would not help, because an operator will not configure the processor within seconds.
  if (code === 'processor_not_configured') return false;
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501);
}

/** `Retry-After` may be a date, which is compared with the response's `Date`, because the clocks may differ. */
export function retryAfterOf(headers: Headers): number | null {
  const ms = decimal(headers.get('retry-after-ms'));
  if (ms !== null) return ms;
  const value = headers.get('retry-after');
  const seconds = decimal(value);
  if (seconds !== null) return seconds * 1000;
  // An HTTP date contains a month's name. Without this check, `Date.parse` would read `-1` as a year.
  if (!value || !/[a-z]{3}/i.test(value)) return null;
  const nowMs = Date.parse(headers.get('date') ?? '');
  const waitMs = Date.parse(value) - (Number.isNaN(nowMs) ? Date.now() : nowMs);
  return waitMs > 0 ? waitMs : null;
}

function decimal(value: string | null): number | null {
  return value !== null && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}
