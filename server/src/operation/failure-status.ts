import type { ServerResponse } from 'node:http';
import { AppError, errorTable } from '../kit/errors.ts';
import { isOutage, outageRetrySeconds } from '../platform/database/connection/outage.ts';
import { RateLimited } from './rate-limits.ts';

/** The body parser and the router set `status` on their errors. A path that cannot be decoded gets 404. */
export function statusOf(error: unknown): number {
  if (error instanceof AppError) return errorTable[error.code][0];
  if (isOutage(error)) return 503;
  if (error instanceof URIError) return 404;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

export function setRetryAfter(response: Pick<ServerResponse, 'setHeader'>, error: unknown): void {
  if (error instanceof RateLimited) response.setHeader('Retry-After', error.state.resetSeconds);
  if (isOutage(error)) response.setHeader('Retry-After', outageRetrySeconds);
}
