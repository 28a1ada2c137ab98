import { parseCidrs, refusesAddress } from '@tillhook/server/src/kit/address-policy.ts';
import test from 'ava';

const refuses = (address: string) => refusesAddress(address, []);

test('the address policy allows public addresses', (t) => {
  for (const address of ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e']) {
    t.false(refuses(address), address);
  }
});

test('the address policy refuses every range that is not public IPv4, from its first address to its last', (t) => {
  const ranges = [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '239.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
  ];

  for (const address of ranges.flat()) t.true(refuses(address), address);
});

test('the address policy allows the addresses next to the refused ranges', (t) => {
  const neighbours = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'];
  const more = ['172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255', '168.63.129.17'];

  for (const address of [...neighbours, ...more]) t.false(refuses(address), address);
});

test('the address policy refuses IPv6 that is not global, and ranges for tunnels and for documentation', (t) => {
  const local = ['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1', '100::1'];
  const special = ['2001::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', '4000::1'];

  for (const address of [...local, ...special]) t.true(refuses(address), address);
});

test('the address policy treats an IPv4 address that is embedded in an IPv6 address like the IPv4 address', (t) => {
  const mapped = ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1', '::ffff:169.254.169.254'];
  const otherwise = ['::127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'];

  for (const address of [...mapped, ...otherwise]) t.true(refuses(address), address);
  t.false(refuses('::ffff:8.8.8.8'));
});

test('the address policy refuses a text that is not an address', (t) => {
  for (const text of ['', 'localhost', 'localhost.', 'example.com', '1.2.3.4.5', '127.0.0.1:80', '[::1]', ' 8.8.8.8']) {
    t.true(refuses(text), text);
  }
});

test('an allowed range allows exactly the addresses in it', (t) => {
  const allowed = parseCidrs('127.0.0.0/8, ::1/128');

  t.false(refusesAddress('127.0.0.1', allowed));
  t.false(refusesAddress('127.255.255.255', allowed));
  t.false(refusesAddress('::1', allowed));
  t.false(refusesAddress('::ffff:127.0.0.1', allowed));
  t.true(refusesAddress('10.0.0.1', allowed));
  t.true(refusesAddress('::2', allowed));
});

test('an empty list of allowed ranges allows no ranges', (t) => {
  t.deepEqual(parseCidrs(''), []);
  t.deepEqual(parseCidrs(' , '), []);
});

test('a text that is not a range of addresses is refused', (t) => {
  for (const list of ['10.0.0.0', '10.0.0.0/33', 'localhost/8', '127.0.0.0/8,nonsense']) {
    t.throws(() => parseCidrs(list), undefined, list);
  }
});
