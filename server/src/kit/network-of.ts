import ipaddr from 'ipaddr.js';

/**
 * Returns the key by which limits count the calls of an address. A client with one address of IPv6 usually has its
 * whole /64, so all addresses of a /64 have the same key. The key of an IPv4 address is that address, in one form for
 * all ways to write it.
 */
export function networkOf(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`)}/64`;
}
