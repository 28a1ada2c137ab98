import { isIP } from 'node:net';
import { type AddressRules, addressProblem } from '@tillhook/openapi/rules/fields';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface ServerRules extends AddressRules {
  /**
   * The ranges of private addresses that are allowed. It is set for URLs to which our servers connect: a literal
   * address must be in these ranges or be allowed by the address policy.
   */
  allowedCidrs?: readonly Cidr[];
}

/** Returns the problem of a web address, without resolving its host name. Returns null for a valid address. */
export function webAddressProblem(address: string, { allowedCidrs, ...rules }: ServerRules = {}): string | null {
  const problem = addressProblem(address, rules);
  if (problem || !allowedCidrs) return problem;
  const host = hostOf(new URL(address));
  return isIP(host) && refusesAddress(host, allowedCidrs) ? refusedAddress : null;
}

export const refusedAddress = 'leads to an address that is not allowed';

/** Returns the host name, or the literal address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Throws `invalid_url` if the address is not a web address. The scheme is checked because a browser would execute
 * `javascript:` as a script. The host name is not resolved, because its addresses only matter if our servers connect
 * to them.
 */
export function checkWebAddress(param: string, address: string, rules?: ServerRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
