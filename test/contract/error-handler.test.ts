import test from 'ava';
import { startCuttableProxy } from '../support/database/cuttable-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { findPostgres } from '../support/run/shared.ts';
import { startServer } from '../support/server/tillhook.ts';

test('500 with a fixed message for an unexpected error, without its cause', async (t) => {
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

test('503 while the database is away, also at the check of a key and on a page, and 200 when it is back', async (t) => {
  const proxy = await startCuttableProxy(await findPostgres());
  t.teardown(() => proxy.cut());
  const server = await startServer(t, {}, proxy.reach);
  const { testKey, client } = await server.createMerchant();
  const { data: checkout } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await proxy.cut();

  const response = await fetch(`${server.url}/api/v1/payments`, { headers: { authorization: `Bearer ${testKey}` } });

  t.is(response.status, 503);
  t.like(await response.json(), { error: { code: 'service_unavailable', type: 'api_error' } });
  t.is((await fetch(`${server.url}/readyz`)).status, 503);
  const page = await fetch(checkout.checkoutUrl);
  t.is(page.status, 503);
  t.is(page.headers.get('retry-after'), '1');
  t.regex(await page.text(), /Payments are not available right now/);
  await proxy.restore();
  t.is((await client.payments.list()).total, 1);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);
});
