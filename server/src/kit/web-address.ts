import { isIP } from 'node:net';
import { type AddressRules, addressProblem } from '@tillhook/openapi/rules/fields';
import { type Cidr, refusesAddress } from './address-policy.ts';
import { invalid } from './errors.ts';

interface ServerRules extends AddressRules {
  /** The private addresses that are allowed. Set only for URLs to which our servers connect. */
  allowedCidrs?: readonly Cidr[];
}

export function webAddressProblem(address: string, { allowedCidrs, ...rules }: ServerRules = {}): string | null {
  const problem = addressProblem(address, rules);
  if (problem || !allowedCidrs) return problem;
  const host = hostOf(new URL(address));
  return isIP(host) && refusesAddress(host, allowedCidrs) ? refusedAddress : null;
}

export const refusedAddress = 'leads to an address that is not allowed';

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Checks the scheme of the URL, because a browser would execute `javascript:` as a script. */
export function checkWebAddress(param: string, address: string, rules?: ServerRules): void {
  const problem = webAddressProblem(address, rules);
  if (problem) throw invalid('invalid_url', param, problem);
}
