import { BlockList, isIP } from 'node:net';
import { type Cidr, parseCidrs, refusesAddress } from '@tillhook/server/src/kit/address-policy.ts';
import test from 'ava';
import { refusedAddresses } from '../support/network/refused-addresses.ts';
import { ofKind } from './files.ts';

const policies = new Map(ofKind('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]));
const blocks = (policies.get('to-public-network')?.egress ?? []).flatMap(({ to }) =>
  to.flatMap(({ ipBlock }) => ipBlock ?? []),
);
const excepted = blocks.flatMap(({ except = [] }) => except);
const [openRanges, exceptedRanges] = [listOf(blocks.map(({ cidr }) => cidr)), listOf(excepted)];

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [base = '', bits] = cidr.split('/');
    list.addSubnet(base, Number(bits), familyOf(base));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function isOpen(address: string): boolean {
  const family = familyOf(address);
  return openRanges.check(address, family) && !exceptedRanges.check(address, family);
}

test('without another policy, a pod can neither be reached nor reach anything', (t) => {
  t.deepEqual(policies.get('nothing'), { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
});

test('a process can reach public addresses, except addresses to which the service refuses to deliver', (t) => {
  const known = Object.values(refusedAddresses)
    .flat()
    .map((url) => URL.parse(url.replace('PORT', '80'))?.hostname.replaceAll(/[[\]]/g, '') ?? '')
    .filter((host) => isIP(host) !== 0);
  // The loop adds an address for each value of the first twelve bits of an IPv4 address.
  const spread = Array.from({ length: 4096 }, (_, index) => `${index >> 4}.${(index & 15) * 16}.128.1`);
  const addresses = [
    ...parseCidrs(excepted.join()).flatMap(edgesOf),
    ...known,
    ...spread,
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ];

  const wrong = addresses.filter((address) => isOpen(address) === refusesAddress(address, []));

  t.deepEqual(wrong, []);
  t.true(known.length > 30, `only ${known.length} refused addresses were compared`);
  t.is(excepted.length, 20);
});

function edgesOf([base, bits]: Cidr): string[] {
  const bytes = base.toByteArray();
  const allBits = bytes.length * 8;
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const last = first + (1n << BigInt(allBits - bits)) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((number) => number >= 0n && number < 1n << BigInt(allBits))
    .map((number) => addressOf(number.toString(16).padStart(allBits / 4, '0')));
}

function addressOf(digits: string): string {
  return digits.length === 8 ? Buffer.from(digits, 'hex').join('.') : (digits.match(/.{4}/g) ?? []).join(':');
}

test('besides public addresses, a process reaches only databases, DNS, a collector of traces, a proxy and a mail server', (t) => {
  const portsOf = (name: string) =>
    policies.get(name)?.egress?.map(({ ports: open = [] }) => open.map(({ port }) => port));

  t.deepEqual(portsOf('to-stores'), [[5432], [6432], [27_017], [53, 53]]);
  t.deepEqual(portsOf('to-collector-and-proxy'), [[4318], [3128], [587]]);
  t.deepEqual(
    [...policies].filter(([, { egress }]) => egress).map(([name]) => name),
    ['to-stores', 'to-collector-and-proxy', 'to-public-network'],
  );
});

test('only the API accepts calls, and only Prometheus can read the metrics', (t) => {
  const open = [...policies].flatMap(([name, { podSelector, ingress = [] }]) =>
    ingress.map(({ ports }) => ({
      name,
      component: podSelector?.matchLabels?.['app.kubernetes.io/component'],
      ports: ports.map(({ port }) => port),
    })),
  );

  t.deepEqual(open, [
    { name: 'ingress-to-api', component: 'api', ports: ['http'] },
    { name: 'prometheus-to-metrics', component: undefined, ports: ['metrics'] },
  ]);
});
