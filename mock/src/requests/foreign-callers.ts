/** The mock posts to any URL and shows the response, so other sites could use it to read the local network. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error.ts';

const ownHost = String.raw`(localhost|[\w-]+(\.[\w-]+)*\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?`;
const ownOrigin = new RegExp(`^https?://${ownHost}$`, 'i');
const ownHostHeader = new RegExp(`^${ownHost}$`, 'i');

/** Browsers send `Origin` with every call from a page of another site; programs send none. */
export function refuseForeignPages({ origin }: IncomingHttpHeaders): void {
  if (origin === undefined || ownOrigin.test(origin)) return;
  throw new ApiError('cross_site_request', 'Only pages of this machine may tell the mock where to post webhooks');
}

/** Stops DNS rebinding: a page whose DNS name points to this machine sends no `Origin`, but its own name in `Host`. */
export function refuseForeignHosts({ host }: IncomingHttpHeaders): void {
  if (host !== undefined && ownHostHeader.test(host)) return;
  throw new ApiError('cross_site_request', 'Call this by a name of this machine, such as localhost');
}
