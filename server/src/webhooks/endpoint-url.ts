import { lookup } from 'node:dns/promises';
import type { Context } from '../context.ts';
import { refusesAddress } from '../kit/address-policy.ts';
import { invalid } from '../kit/errors.ts';

const lookupTimeoutMs = 1000;

/**
 * Throws `invalid_url` for an address that deliveries would refuse anyway. Choice: a name that does not resolve within a
 * second is accepted, because its DNS may not be cut over yet; every connection is judged again.
 */
export async function checkEndpointUrl(context: Context, address: string): Promise<void> {
  const url = URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw invalidUrl('must begin with http:// or https://');
  if (url.username || url.password) throw invalidUrl('must not hold a user name or password');
  if (url.hash) throw invalidUrl('must not have a fragment');
  const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
  if (addresses.some((found) => refusesAddress(found, context.config.webhookAllowCidrs))) {
    throw invalidUrl('leads to an address that is not allowed');
  }
}

/** A literal address resolves to itself. */
async function resolve(hostname: string): Promise<string[]> {
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, lookupTimeoutMs).unref());
  try {
    const found = await Promise.race([lookup(hostname, { all: true }), timeout]);
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

const invalidUrl = (problem: string) => invalid('invalid_url', 'url', problem);
