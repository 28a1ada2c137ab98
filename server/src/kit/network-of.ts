import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv6 socket shows the address of an IPv4 caller as `::ffff:192.0.2.1`. */
const mapped = '::ffff:';

/** A client with one IPv6 address usually has a whole /64, so rate limits count all addresses of a /64 together. */
export function networkOf(address: string | undefined): string {
  const read = readAddress(address);
  if (read === undefined) return '';
  return isIPv4(read) ? read : `${ipaddr.IPv6.networkAddressFromCIDR(`${read}/64`)}/64`;
}

/**
 * Parses an address as sockets and proxies write it: with a port, brackets, quotes or a zone, or as in the header
 * `Forwarded` (`for="[2001:db8::1]:4711";proto=https`).
 */
export function readAddress(text: string | undefined): string | undefined {
  const plain = text?.startsWith(mapped) ? text.slice(mapped.length) : text;
  if (plain !== undefined && isIPv4(plain)) return plain;
  const [bare = ''] = (text ?? '').trim().replace(/^for=/i, '').replaceAll('"', '').split(';', 1);
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(bare) ?? [];
  const [, beforePort] = /^([\d.]+):\d*$/.exec(bare) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? bare).trim().split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
