import type { Context } from '../context.ts';
import { refusesAddress } from '../kit/address-policy.ts';
import { invalid } from '../kit/errors.ts';
import { resolveHost } from '../kit/resolve-host.ts';

const resolveWithinMs = 1000;

/**
 * Throws `invalid_url` for an address that deliveries would refuse anyway. Choice: a name that does not resolve within a
 * second is accepted, because its DNS may not be cut over yet; every connection is judged again.
 */
export async function checkEndpointUrl(context: Context, address: string): Promise<void> {
  const url = URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw invalidUrl('must begin with http:// or https://');
  if (url.username || url.password) throw invalidUrl('must not hold a user name or password');
  if (url.hash) throw invalidUrl('must not have a fragment');
  const answers = await resolveHost(url.hostname.replace(/^\[|\]$/g, ''), resolveWithinMs).catch(() => []);
  if (answers.some((answer) => refusesAddress(answer.address, context.config.webhookAllowCidrs))) {
    throw invalidUrl('leads to an address that is not allowed');
  }
}

const invalidUrl = (problem: string) => invalid('invalid_url', 'url', problem);
