import { lookup } from 'node:dns/promises';
import { resolveHost } from '@tillhook/server/src/kit/resolve-host.ts';
import test from 'ava';
import { type NameServer, startNameServer } from '../support/network/name-server.ts';

let nameServer: NameServer;

test.before(async () => {
  nameServer = await startNameServer();
});

test.after.always(() => nameServer?.stop());

const addressesOf = async (host: string, withinMs = 5000) =>
  (await resolveHost(host, withinMs)).map(({ address, family }) => `${family} ${address}`);

test('a literal IP address resolves to itself', async (t) => {
  t.deepEqual(await addressesOf('8.8.8.8'), ['4 8.8.8.8']);
  t.deepEqual(await addressesOf('2606:4700::1111'), ['6 2606:4700::1111']);
});

test('a name resolves to its IPv4 and IPv6 addresses, IPv4 first', async (t) => {
  nameServer.names.set('both.test', ['2606:4700::1111', '1.1.1.1', '1.0.0.1']);

  t.deepEqual(await addressesOf('both.test'), ['4 1.1.1.1', '4 1.0.0.1', '6 2606:4700::1111']);
  t.deepEqual(await addressesOf('BOTH.test.'), ['4 1.1.1.1', '4 1.0.0.1', '6 2606:4700::1111']);
});

test('a name with addresses of only one family resolves to these addresses', async (t) => {
  nameServer.names.set('old.test', ['1.1.1.1']);
  nameServer.names.set('new.test', ['2606:4700::1111']);

  t.deepEqual(await addressesOf('old.test'), ['4 1.1.1.1']);
  t.deepEqual(await addressesOf('new.test'), ['6 2606:4700::1111']);
});

test('answers are not cached: a name whose address changed resolves to the new one', async (t) => {
  nameServer.names.set('moves.test', ['1.1.1.1']);
  await addressesOf('moves.test');
  nameServer.names.set('moves.test', ['8.8.8.8']);

  t.deepEqual(await addressesOf('moves.test'), ['4 8.8.8.8']);
});

test('a lookup does not wait long for addresses of one family when the addresses of the other family are known', async (t) => {
  nameServer.names.set('half.test', ['1.1.1.1']);
  nameServer.silentFamilies.set('half.test', 6);

  // The time limit is so long that the test cannot reach it.
  t.deepEqual(await addressesOf('half.test', 300_000), ['4 1.1.1.1']);
});

test('localhost, with or without a dot at the end, is resolved by the system without a DNS question', async (t) => {
  // A machine may have localhost in one address family or in both, so the test also calls the resolver of the system.
  const known = (await lookup('localhost', { all: true })).map(({ address, family }) => `${family} ${address}`);

  t.not(known.length, 0);
  t.deepEqual(await addressesOf('localhost'), known);
  t.deepEqual(await addressesOf('LOCALHOST.'), known);
  t.false(nameServer.questions.some((name) => name.startsWith('localhost')));
});

test('a name that neither DNS nor the system knows has no address', async (t) => {
  await t.throwsAsync(resolveHost('nowhere.test', 5000));
  t.true(nameServer.questions.includes('nowhere.test'));
});

test('many names whose DNS servers do not answer fail in time, and other names are resolved in the meantime', async (t) => {
  const silent = Array.from({ length: 20 }, (_, n) => `silent${n}.test`);
  for (const name of silent) nameServer.names.set(name, 'silence');
  nameServer.names.set('speaks.test', ['1.1.1.1']);
  let failed = 0;
  const waiting = silent.map((name) => resolveHost(name, 2000).catch(() => failed++));

  t.deepEqual(await addressesOf('speaks.test'), ['4 1.1.1.1']);

  t.is(failed, 0);
  await Promise.all(waiting);
  t.is(failed, 20);
});
