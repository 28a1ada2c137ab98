import type { Route } from './route.ts';

/** What an attempt that failed leaves to decide by; without a status no whole answer came. */
interface FailedAttempt {
  route: Route;
  /** Counts from 1. */
  attempt: number;
  status: number | null;
  code: string | null;
  retryAfterMs: number | null;
}

const firstDelayMs = 500;
const maxDelayMs = 8_000;
const maxRetryAfterMs = 60_000;

/**
 * How long to wait before the next attempt, or null to give up. A POST is repeated only under an `Idempotency-Key`: without
 * one nobody can say, when its answer is lost, whether it was carried out. PATCH and DELETE say what shall be, so they are
 * repeated as they are.
 */
export function retryDelayMs({ route, attempt, status, code, retryAfterMs }: FailedAttempt): number | null {
  if (route.method === 'post' && !route.isKeyed) return null;
  if (status !== null && !isTransient(status, code)) return null;

  // Clients that failed together do not come back together.
  const jitter = Math.random();
  // Choice: a longer wait than a minute is the caller's to plan, and asking sooner would be rude.
  if (retryAfterMs !== null) return retryAfterMs <= maxRetryAfterMs ? retryAfterMs * (1 + jitter / 10) : null;
  return jitter * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
}

function isTransient(status: number, code: string | null): boolean {
  // The first call with this key is still on its way; every other conflict stays one.
  if (status === 409) return code === 'idempotency_in_progress';
  // It will be as little configured in a second.
  if (code === 'processor_not_configured') return false;
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501);
}

/**
 * How long the answer asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. The date is held against the
 * answer's own `Date`, because the clocks may differ. Null when it says nothing that makes sense, or a moment that has passed.
 */
export function retryAfterOf(headers: Headers): number | null {
  const ms = decimal(headers.get('retry-after-ms'));
  if (ms !== null) return ms;
  const value = headers.get('retry-after');
  const seconds = decimal(value);
  if (seconds !== null) return seconds * 1000;
  // A date has a month; of "-1" the parser would make a year.
  if (!value || !/[a-z]{3}/i.test(value)) return null;
  const nowMs = Date.parse(headers.get('date') ?? '');
  const waitMs = Date.parse(value) - (Number.isNaN(nowMs) ? Date.now() : nowMs);
  return waitMs > 0 ? waitMs : null;
}

function decimal(value: string | null): number | null {
  return value !== null && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}
