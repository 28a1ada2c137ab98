import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The beginning of the address of an IPv4 caller on an IPv6 socket, as in `::ffff:192.0.2.1`. */
const mapped = '::ffff:';

/**
 * Returns the key by which rate limits count the calls of an address. A client with one IPv6 address usually has a
 * whole /64, so all addresses of a /64 have the same key. The key of an IPv4 address is that address in its usual
 * form.
 */
export function networkOf(address: string | undefined): string {
  const read = readAddress(address);
  if (read === undefined) return '';
  return isIPv4(read) ? read : `${ipaddr.IPv6.networkAddressFromCIDR(`${read}/64`)}/64`;
}

/**
 * Parses an address in the forms of sockets and proxies: with a port, brackets, quotes or a zone, and as in the header
 * `Forwarded` (`for="[2001:db8::1]:4711";proto=https`). Returns the address in its usual form; undefined when the text
 * has no address, such as `unknown`.
 */
export function readAddress(text: string | undefined): string | undefined {
  // Most calls come from IPv4 addresses without a port. For these calls, the parsing below is skipped.
  const plain = text?.startsWith(mapped) ? text.slice(mapped.length) : text;
  if (plain !== undefined && isIPv4(plain)) return plain;
  const [bare = ''] = (text ?? '').trim().replace(/^for=/i, '').replaceAll('"', '').split(';', 1);
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(bare) ?? [];
  const [, beforePort] = /^([\d.]+):\d*$/.exec(bare) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? bare).trim().split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
