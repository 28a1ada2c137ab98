/**
 * Rejects calls through which a page of another site could misuse the mock. The mock posts webhooks inside its own
 * network and shows the responses. If any page that a developer opens could choose the URL, that page could read from
 * the network.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error.ts';

const ownHost = String.raw`(localhost|[\w-]+(\.[\w-]+)*\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?`;
const ownOrigin = new RegExp(`^https?://${ownHost}$`, 'i');
const ownHostHeader = new RegExp(`^${ownHost}$`, 'i');

/**
 * Rejects calls from a page whose host is not this machine. Programs send no `Origin`; browsers send `Origin` with
 * every such call.
 */
export function refuseForeignPages({ origin }: IncomingHttpHeaders): void {
  if (origin === undefined || ownOrigin.test(origin)) return;
  throw new ApiError('cross_site_request', 'Only pages of this machine may tell the mock where to post webhooks');
}

/**
 * Rejects a call whose `Host` is not a name of this machine. The DNS name of a foreign page can point to this machine;
 * calls of that page then have no `Origin`, but have that name in `Host`.
 */
export function refuseForeignHosts({ host }: IncomingHttpHeaders): void {
  if (host !== undefined && ownHostHeader.test(host)) return;
  throw new ApiError('cross_site_request', 'Call this by a name of this machine, such as localhost');
}
