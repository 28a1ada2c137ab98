import { networkOf } from '@tillhook/server/src/kit/network-of.ts';
import test from 'ava';

const networks = [
  { address: '203.0.113.9', network: '203.0.113.9', why: 'an address of IPv4 is itself' },
  { address: '::ffff:203.0.113.9', network: '203.0.113.9', why: 'also as a dual-stack socket writes it' },
  { address: '2001:db8:1:2:3:4:5:6', network: '2001:db8:1:2::/64', why: 'an address of IPv6 is its network' },
  { address: '2001:db8:1:2:ffff::1', network: '2001:db8:1:2::/64', why: 'so a neighbour counts along' },
  { address: '::1', network: '::/64', why: 'also the loopback' },
  { address: undefined, network: '', why: 'a socket that is gone has none' },
  { address: 'unix', network: '', why: 'nor has a socket of another kind' },
];

for (const { address, network, why } of networks) {
  test(`${why}: ${address}`, (t) => {
    t.is(networkOf(address), network);
  });
}
