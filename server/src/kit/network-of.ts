import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The beginning of an IPv4 caller's address on a socket of IPv6, as in `::ffff:192.0.2.1`. */
const mapped = '::ffff:';

/**
 * Returns the key by which limits count the calls of an address. A client with one address of IPv6 usually has its
 * whole /64, so all addresses of a /64 have the same key. The key of an IPv4 address is that address, in one form for
 * all ways to write it.
 */
export function networkOf(address: string | undefined): string {
  const read = readAddress(address);
  if (read === undefined) return '';
  return isIPv4(read) ? read : `${ipaddr.IPv6.networkAddressFromCIDR(`${read}/64`)}/64`;
}

/**
 * Reads an address as sockets and proxies write it: with a port, brackets, quotes or a zone, and as the header `Forwarded`
 * has it (`for="[2001:db8::1]:4711";proto=https`). Returns it in its usual form; undefined when there is none, as in
 * `unknown`.
 */
export function readAddress(text: string | undefined): string | undefined {
  // Most calls come from IPv4, and sockets write their addresses in this form. These calls skip the work below.
  const plain = text?.startsWith(mapped) ? text.slice(mapped.length) : text;
  if (plain !== undefined && isIPv4(plain)) return plain;
  const [bare = ''] = (text ?? '').trim().replace(/^for=/i, '').replaceAll('"', '').split(';', 1);
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(bare) ?? [];
  const [, beforePort] = /^([\d.]+):\d*$/.exec(bare) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? bare).trim().split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
