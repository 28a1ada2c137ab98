import type { Method } from './operations.ts';

/** What an attempt that failed leaves to decide by; without `response` no whole answer came. */
interface FailedAttempt {
  method: Method;
  /** Counts from 1. */
  attempt: number;
  response?: Response;
}

const repeatable: ReadonlySet<Method> = new Set<Method>(['get', 'delete']);
const firstDelayMs = 500;
const maxDelayMs = 8_000;
const maxRetryAfterMs = 60_000;

/**
 * How long to wait before the next attempt, or null to give up. A POST is never repeated: when its
 * answer is lost nobody can say whether it was carried out.
 */
export function retryDelayMs({ method, attempt, response }: FailedAttempt): number | null {
  if (!repeatable.has(method)) return null;
  if (response && !isTransient(response.status)) return null;

  const askedMs = retryAfterMs(response?.headers.get('retry-after'));
  // Choice: a longer wait than a minute is the caller's to plan, and asking sooner would be rude.
  if (askedMs !== null) return askedMs <= maxRetryAfterMs ? askedMs : null;

  // Full jitter: clients that failed together do not come back together.
  return Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
}

function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** `Retry-After` in either of its forms, seconds or an HTTP date; null when it is neither. */
function retryAfterMs(value: string | null | undefined): number | null {
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
