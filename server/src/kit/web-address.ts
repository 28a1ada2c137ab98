import { isIP } from 'node:net';
import { type AddressRules, addressProblem } from '@tillhook/openapi/rules/fields';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface ServerRules extends AddressRules {
  /**
   * Set for addresses to which our servers connect. A literal address must be allowed by the address policy, or be in
   * these ranges.
   */
  allowedCidrs?: readonly Cidr[];
}

/** Describes the problem of a web address, without looking up its name. Null when there is none. */
export function webAddressProblem(address: string, { allowedCidrs, ...rules }: ServerRules = {}): string | null {
  const problem = addressProblem(address, rules);
  if (problem || !allowedCidrs) return problem;
  const host = hostOf(new URL(address));
  return isIP(host) && refusesAddress(host, allowedCidrs) ? refusedAddress : null;
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
export function checkWebAddress(param: string, address: string, rules?: ServerRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
