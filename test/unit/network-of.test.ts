import { networkOf, readAddress } from '@tillhook/server/src/kit/network-of.ts';
import test from 'ava';

const networks = [
  { address: '203.0.113.9', network: '203.0.113.9', why: 'an IPv4 address is its own network' },
  {
    address: '::ffff:203.0.113.9',
    network: '203.0.113.9',
    why: 'an IPv4 address in the form of a dual-stack socket is its own network',
  },
  {
    address: '2001:db8:1:2:3:4:5:6',
    network: '2001:db8:1:2::/64',
    why: 'the network of an IPv6 address is its prefix',
  },
  {
    address: '2001:db8:1:2:ffff::1',
    network: '2001:db8:1:2::/64',
    why: 'another IPv6 address with the same prefix has the same network',
  },
  { address: '::1', network: '::/64', why: 'the loopback address has a network too' },
  { address: 'fe80::1%eth0', network: 'fe80::/64', why: 'the network of an address has no zone' },
  { address: undefined, network: '', why: 'a closed socket has no network' },
  { address: 'unix', network: '', why: 'a socket of another kind has no network' },
];

for (const { address, network, why } of networks) {
  test(`networkOf: ${why}: ${address}`, (t) => {
    t.is(networkOf(address), network);
  });
}

const addresses: [text: string, address: string | undefined][] = [
  ['203.0.113.9', '203.0.113.9'],
  [' 203.0.113.9 ', '203.0.113.9'],
  ['203.0.113.9:52100', '203.0.113.9'],
  ['203.0.113.9:', '203.0.113.9'],
  ['"203.0.113.9:52100"', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:52100', '2001:db8::1'],
  ['"[2001:db8::1]:52100"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
  ['for=203.0.113.9', '203.0.113.9'],
  ['For="[2001:db8::1]:4711";proto=https;by=203.0.113.43', '2001:db8::1'],
  ['for=192.0.2.43:47011;proto=http', '192.0.2.43'],
  ['unknown', undefined],
  ['for=_hidden', undefined],
  ['', undefined],
  ['shop.example.com:443', undefined],
  ['203.0.113', undefined],
  ['203.0.113.256:80', undefined],
  ['203.0.113.9:80:80', undefined],
  ['[203.0.113.9', undefined],
  ['0x7f000001', undefined],
  ['2001:db8::1::2', undefined],
];

for (const [text, address] of addresses) {
  test(`readAddress reads from ${JSON.stringify(text)} the address: ${address ?? 'none'}`, (t) => {
    t.is(readAddress(text), address);
  });
}
