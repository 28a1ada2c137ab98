import test from 'ava';
import { startCuttableProxy } from '../support/cuttable-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/tillhook.ts';

test('500 with a fixed sentence when something unexpected breaks, and nothing of the cause', async (t) => {
  const server = await startServer(t);
  const { testKey } = await server.createMerchant();
  await server.database.query('alter table transfer rename to elsewhere');

  const response = await server.request('/api/v1/transfers', { key: testKey });

  t.is(response.status, 500);
  const body = await response.json();
  t.is(body.message, 'Something went wrong on our side');
  t.is(body.error.code, 'internal_error');
  t.notRegex(JSON.stringify(body), /transfer|relation|select/i);
  t.is((await fetch(`${server.url}/healthz`)).status, 200);
});

test('503 while the database is away, also where a key is checked, and 200 when it is back', async (t) => {
  const proxy = await startCuttableProxy(new URL(process.env.TEST_DATABASE_URL ?? ''));
  t.teardown(() => proxy.cut());
  const server = await startServer(t, {}, proxy.reach);
  const { testKey, client } = await server.createMerchant();
  await proxy.cut();

  const response = await fetch(`${server.url}/api/v1/payments`, { headers: { authorization: `Bearer ${testKey}` } });

  t.is(response.status, 503);
  t.like(await response.json(), { error: { code: 'service_unavailable', type: 'api_error' } });
  t.is((await fetch(`${server.url}/readyz`)).status, 503);
  await proxy.restore();
  t.is((await client.payments.list()).total, 0);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);
});
