import { isIP } from 'node:net';
import { type AddressRules, addressProblem } from '@tillhook/openapi/refusals/fields';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface ServerRules extends AddressRules {
  /** For where our servers connect to: a literal address must be allowed. These ranges are, whatever the policy says. */
  allowedCidrs?: readonly Cidr[];
}

/** What is wrong with a web address, as far as it shows by itself: no name is looked up. Null when nothing is. */
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
 * Throws `invalid_url` for what is no web address. A browser goes there, not our servers: the scheme matters, for one of
 * them runs script, and where the address leads does not.
 */
export function checkWebAddress(param: string, address: string, rules?: ServerRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
