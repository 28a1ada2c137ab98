/**
 * Which network addresses a merchant's webhook URL may lead to. A merchant chooses the URL and our servers connect to it,
 * so without this a merchant could reach what only our servers can: cloud metadata, databases, each other's machines. One
 * function decides, at registration, for the test event and at every connection; at a connection it fails closed.
 */
import ipaddr from 'ipaddr.js';

/** A range of addresses that is allowed although the policy refuses it. */
export type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

const refusedIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));

/** IPv6 is the other way round: only global unicast, less the ranges that tunnel or document. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');
const refusedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

/** Whether a connection to this literal address is refused. Anything that is no address is refused too. */
export function refusesAddress(address: string, allowed: readonly Cidr[]): boolean {
  if (!ipaddr.isValid(address)) return true;
  // `::ffff:10.0.0.1` reaches 10.0.0.1, so it is judged as that.
  const parsed = ipaddr.process(address);
  if (allowed.some((cidr) => parsed.kind() === cidr[0].kind() && parsed.match(cidr))) return false;
  if (parsed instanceof ipaddr.IPv4) return refusedIPv4.some((cidr) => parsed.match(cidr));
  return !parsed.match(globalIPv6) || refusedIPv6.some((cidr) => parsed.match(cidr));
}

/** `10.0.0.0/8, ::1/128` as ranges; empty is none. Throws on anything else. */
export function parseCidrs(list: string): Cidr[] {
  const items = list.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').map((item) => ipaddr.parseCIDR(item));
}
