/**
 * Decides which network addresses a merchant's webhook URL may lead to. Otherwise a merchant could reach addresses that
 * only our servers can reach: cloud metadata, databases, other machines. The same function decides at registration, for
 * the test event and at every connection.
 */
import ipaddr from 'ipaddr.js';

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

/** Of IPv6, only global unicast addresses are allowed, without the ranges for tunnels and documentation. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');
const refusedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

export function refusesAddress(address: string, allowed: readonly Cidr[]): boolean {
  if (!ipaddr.isValid(address)) return true;
  // `::ffff:10.0.0.1` leads to 10.0.0.1, so both addresses are treated alike.
  const parsed = ipaddr.process(address);
  if (allowed.some((cidr) => parsed.kind() === cidr[0].kind() && parsed.match(cidr))) return false;
  if (parsed instanceof ipaddr.IPv4) return refusedIPv4.some((cidr) => parsed.match(cidr));
  return !parsed.match(globalIPv6) || refusedIPv6.some((cidr) => parsed.match(cidr));
}

export function parseCidrs(list: string): Cidr[] {
  const items = list.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').map((item) => ipaddr.parseCIDR(item));
}
