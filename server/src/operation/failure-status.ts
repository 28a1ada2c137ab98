import type { ServerResponse } from 'node:http';
import { isOutage, outageRetrySeconds } from '../database/outage.ts';
import { AppError, errorTable } from '../kit/errors.ts';
import { RateLimited } from './rate-limits.ts';

/**
 * The status of a page that failed. The body parser and the router put one on their errors, and an address that cannot be
 * decoded is nobody's.
 */
export function statusOf(error: unknown): number {
  if (error instanceof AppError) return errorTable[error.code][0];
  if (isOutage(error)) return 503;
  if (error instanceof URIError) return 404;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

/** Says when to try again, where waiting helps. */
export function setRetryAfter(response: Pick<ServerResponse, 'setHeader'>, error: unknown): void {
  if (error instanceof RateLimited) response.setHeader('Retry-After', error.state.resetSeconds);
  if (isOutage(error)) response.setHeader('Retry-After', outageRetrySeconds);
}
