/**
 * Links in answers lead to the mock. In the contract they begin with the address of the service, where perhaps nothing
 * runs. The address is the one by which the caller reached the mock.
 */
import type { IncomingMessage } from 'node:http';

/** The fields that hold an address of the service. In all others, such as `callbackUrl`, the address is the caller's. */
const linkFields: ReadonlySet<string> = new Set(['checkoutUrl', 'docUrl', 'logoUrl']);

export function withOwnLinks(body: unknown, serviceUrl: string, ownUrl: string): unknown {
  if (body === null || typeof body !== 'object') return body;
  if (Array.isArray(body)) return body.map((child) => withOwnLinks(child, serviceUrl, ownUrl));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isLink = linkFields.has(name) && typeof value === 'string' && value.startsWith(`${serviceUrl}/`);
      return [name, isLink ? ownUrl + value.slice(serviceUrl.length) : withOwnLinks(value, serviceUrl, ownUrl)];
    }),
  );
}

/** The address in the header `Host`. A header that is no host and port gets the address on which the mock listens. */
export function urlOf({ headers: { host = '' } }: IncomingMessage, listeningUrl: string): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) ? `http://${host}` : listeningUrl;
}

/** Whether two addresses lead to the same place. A developer registers one name of this machine and types another. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && placeOf(one) === placeOf(other));
}

/** The address in its usual form: without a port that its scheme implies, and with or without a slash at the end. */
function placeOf(address: string): string {
  const url = new URL(address);
  if (/^(127\.0\.0\.1|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href;
}
