import { isIP } from 'node:net';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface AddressRules {
  httpsOnly?: boolean;
  withoutFragment?: boolean;
  /** For where our servers connect to: a literal address must be allowed. These ranges are, whatever the policy says. */
  allowedCidrs?: readonly Cidr[];
}

/** What is wrong with a web address, as far as it shows by itself: no name is looked up. Null when nothing is. */
export function webAddressProblem(
  address: string,
  { httpsOnly = false, withoutFragment = false, allowedCidrs }: AddressRules = {},
): string | null {
  const url = URL.parse(address);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !httpsOnly);
  if (!url || !isAllowed) return `must begin with ${httpsOnly ? '' : 'http:// or '}https://`;
  if (url.username || url.password) return 'must not hold a user name or password';
  if (withoutFragment && url.hash) return 'must not have a fragment';
  const host = hostOf(url);
  if (allowedCidrs && isIP(host) && refusesAddress(host, allowedCidrs)) return refusedAddress;
  return null;
}

export const refusedAddress = 'leads to an address that is not allowed';

/** The host's name, or its address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Throws `invalid_url` for what is no web address. A browser goes there, not our servers: the scheme matters, for one of
 * them runs script, and where the address leads does not.
 */
export function checkWebAddress(param: string, address: string, rules?: AddressRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
