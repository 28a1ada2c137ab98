import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { type OwnServer, startOwnServer } from '../support/server/tillhook.ts';

const poolSize = 3;

async function takeAll(server: OwnServer): Promise<() => Promise<unknown>> {
  const over = Promise.withResolvers<void>();
  const held = Array.from({ length: poolSize }, () =>
    inTransaction(withFreshEntityManager(server.context), () => over.promise),
  );
  const inUse = async () => (await figuresOf(server)).get('tillhook_database_connections{state="in_use"}') ?? 0;
  await eventually(inUse, poolSize);
  return () => {
    over.resolve();
    return Promise.all(held);
  };
}

test('while every connection of the database pool is in use, calls are answered 503; when connections are free again, calls and workers continue', async (t) => {
  const server = await startOwnServer(t, { DATABASE_POOL_SIZE: String(poolSize), DATABASE_CONNECT_TIMEOUT_MS: '3000' });
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server.createMerchant();
  const { client, testKey } = merchant;
  const { id: webhookId } = await client.webhookEndpoints.register({ url: receiver.url });
  const list = () => server.request('/api/v1/payments', { key: testKey });
  await insertDeliveries(server, merchant, { webhookId, count: 5, status: 'pending' });

  const giveBack = await takeAll(server);
  await server.database.query('update pending_delivery set due_at = now()');
  const answers = await Promise.all(Array.from({ length: 30 }, list));

  for (const answer of answers) {
    t.is(answer.status, 503);
    t.is(answer.headers.get('retry-after'), '1');
    t.like((await answer.json()).error, { code: 'service_unavailable' });
  }
  t.is((await fetch(`${server.url}/readyz`)).status, 503);
  t.is((await fetch(`${server.url}/healthz`)).status, 200);
  t.is(receiver.deliveries.length, 0);

  await giveBack();
  t.is((await list()).status, 200);
  await payOnce(client);
  await waitForDeliveries(client);
  t.is(receiver.deliveries.length, 6);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);
});
