/** The address by which callers are counted, when what proxies write is no plain address. */
import test from 'ava';
import { startServer } from '../support/server/tillhook.ts';

test('a proxy whose addresses cannot be read is warned of once, and its calls are counted by the connection', async (t) => {
  const server = await startServer(t, { ROLE: 'api', TRUST_PROXY: '1', RATE_LIMITS: 'refused_key:2/1000' });
  const warnings: unknown[] = [];
  Object.assign(server.context.log, { warn: (fields: unknown) => void warnings.push(fields) });
  const statusOf = async (address: string) =>
    (await server.request('/api/v1/me', { key: 'sk_test_wrong', headers: { 'x-forwarded-for': address } })).status;

  const unreadable = [await statusOf('unknown'), await statusOf('_hidden'), await statusOf('203.0.113.9, nonsense')];
  const readable = [await statusOf('203.0.113.9:1'), await statusOf('nonsense, 203.0.113.9:2')];

  t.deepEqual(unreadable, [401, 401, 429]);
  t.deepEqual(readable, [401, 401]);
  t.is(await statusOf('203.0.113.9'), 429);
  t.deepEqual(warnings, [{ address: 'unknown', countedBy: '127.0.0.1' }]);
});

test('an address and a port that a trusted proxy wrote about another proxy are passed over like a plain address', async (t) => {
  const server = await startServer(t, {
    ROLE: 'api',
    TRUST_PROXY: 'loopback,10.0.0.0/8',
    RATE_LIMITS: 'refused_key:1/1000',
  });
  const statusOf = async (address: string) =>
    (await server.request('/api/v1/me', { key: 'sk_test_wrong', headers: { 'x-forwarded-for': address } })).status;

  t.is(await statusOf('203.0.113.9:1, 10.1.2.3:80'), 401);
  t.is(await statusOf('203.0.113.8:1, 10.1.2.3:80'), 401);
  t.is(await statusOf('203.0.113.9:2, [::ffff:10.1.2.3]:80'), 429);
});
