import { addressProblem } from '@tillhook/openapi/rules/fields';
import { returnAddress } from '@tillhook/openapi/rules/return-address';
import test from 'ava';

const long = 'a'.repeat(64);

const problems: [address: string, problem: string | null][] = [
  ['https://shop.example.com:8443/x?a=b', null],
  ['http://shop.example.com./x', null],
  ['http://münchen.example/x', null],
  ['http://[::1]:4000/x', null],
  ['ftp://shop.example.com/x', 'must begin with http:// or https://'],
  ['shop.example.com', 'must begin with http:// or https://'],
  ['http://shop.example.com:70000/x', 'must have a port from 1 to 65535'],
  ['http://shop.example.com:0/x', 'must have a port from 1 to 65535'],
  ['http://[::1]:70000/x', 'must have a port from 1 to 65535'],
  ['http://user@shop.example.com:70000/x', 'must have a port from 1 to 65535'],
  ['http://shop.example.com:80a/', 'has a port that is not a number'],
  ['http://1.2.3.256/x', 'has a host that ends in a number and is not an IPv4 address'],
  ['http://1.2.3.4.5/x', 'has a host that ends in a number and is not an IPv4 address'],
  ['http://exa%mple.com/', 'has a host with a character that no host may have: %'],
  ['http://exa mple.com/', 'has a host with a character that no host may have:  '],
  ['http://[fe80::1%25eth0]/', 'has an IPv6 address with a zone, which only one machine knows'],
  ['http://[::1/x', 'has a host in brackets that is not an IPv6 address'],
  ['http://[1.2.3.4]/', 'has a host in brackets that is not an IPv6 address'],
  ['http://', 'must have a host, such as shop.example.com'],
  ['http://:80/x', 'must have a host, such as shop.example.com'],
  ['http://a..b.example.com/', 'has a host with two dots in a row, or with one at its beginning'],
  ['http://.example.com/', 'has a host with two dots in a row, or with one at its beginning'],
  [`http://${long}.example.com/`, 'has a host with a part of more than 63 characters'],
  [`http://${'abc.'.repeat(70)}com/`, 'has a host of more than 253 characters'],
];

for (const [address, problem] of problems) {
  test(`the URL ${address.slice(0, 60)} ${problem ?? 'is accepted'}`, (t) => {
    t.is(addressProblem(address), problem);
  });
}

const returns: [own: string, returned: string][] = [
  ['https://shop.example/ok', 'https://shop.example/ok?reference=order-1042&status=completed'],
  ['https://shop.example/ok?status=pending', 'https://shop.example/ok?reference=order-1042&status=completed'],
  [
    'https://shop.example/ok?a=[1]&reference=1&b=%20+&st%61tus=x&status&statuses=2#/done',
    'https://shop.example/ok?a=[1]&b=%20+&statuses=2&reference=order-1042&status=completed#/done',
  ],
  ['https://shop.example/ok?', 'https://shop.example/ok?reference=order-1042&status=completed'],
];

for (const [callbackUrl, returned] of returns) {
  test(`a customer who paid returns to ${callbackUrl} with one reference and one status in the query`, (t) => {
    t.is(returnAddress({ status: 'completed', reference: 'order-1042', callbackUrl }), returned);
  });
}
