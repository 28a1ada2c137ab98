import ipaddr from 'ipaddr.js';

/**
 * What a limit by address is counted by. Whoever has one address of IPv6 has the 2^64 beside it as well, so those are one;
 * an address of IPv4 is itself, however it is written.
 */
export function networkOf(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`)}/64`;
}
