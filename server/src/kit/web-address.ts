import { isIP } from 'node:net';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface AddressRules {
  httpsOnly?: boolean;
  withoutFragment?: boolean;
  /**
   * Set for addresses to which our servers connect: the address policy must allow a literal address, or it is in these
   * ranges.
   */
  allowedCidrs?: readonly Cidr[];
}

/** Describes the problem of a web address, without looking up its name. Null when there is none. */
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
 * Throws `invalid_url` if the address is not a web address. The scheme is checked because a browser would run
 * `javascript:` as a script. Where the name leads is not checked, because that only matters for addresses to which our
 * servers connect.
 */
export function checkWebAddress(param: string, address: string, rules?: AddressRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
