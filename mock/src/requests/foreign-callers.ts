/**
 * The mock posts webhooks inside its own network and shows the answers. So pages of other sites may call it, but may not
 * choose an address: otherwise any page that a developer opens could read from that network.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal.ts';

const ownHost = String.raw`(localhost|[\w-]+(\.[\w-]+)*\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?`;
const ownOrigin = new RegExp(`^https?://${ownHost}$`, 'i');
const ownHostHeader = new RegExp(`^${ownHost}$`, 'i');

/** Refuses a page whose host is not this machine. Programs send no `Origin`; browsers send it with every such call. */
export function refuseForeignPages({ origin }: IncomingHttpHeaders): void {
  if (origin === undefined || ownOrigin.test(origin)) return;
  throw new Refusal('cross_site_request', 'Only pages of this machine may tell the mock where to post webhooks');
}

/**
 * Refuses a call with a host name other than those of this machine. The DNS name of a foreign page can point to this machine;
 * its calls then have no `Origin`, but that name in `Host`.
 */
export function refuseForeignHosts({ host }: IncomingHttpHeaders): void {
  if (host !== undefined && ownHostHeader.test(host)) return;
  throw new Refusal('cross_site_request', 'Call this by a name of this machine, such as localhost');
}
