import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kit/errors.ts';

/** Browsers say where a call was made. `Origin` cannot be asked: our own referrer policy makes it `null`. */
export function isCrossSite({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

export function crossSite(): AppError {
  return new AppError('cross_site_request', 'No call of another site is taken here');
}
