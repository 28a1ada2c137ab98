import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, makeDeliveriesDue, payOnce } from '../support/receivers/deliveries.ts';
import { startHangingReceiver } from '../support/receivers/holding-receiver.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { startServer, type TestServer } from '../support/server/tillhook.ts';

const env = { DELIVERY_CONCURRENCY: '8', SHUTDOWN_GRACE_MS: '0', DELIVERY_RETRY_DELAYS_MS: '3600000' };

async function insertDueAt(server: TestServer, url: string, { endpoints = 1, each = 1 }): Promise<string[]> {
  const merchant = await server.createMerchant();
  const ids: string[] = [];
  for (let n = 0; n < endpoints; n++) {
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: `${url}/${n}` });
    await insertDeliveries(server, merchant, { webhookId, count: each, status: 'pending' });
    ids.push(webhookId);
  }
  for (const id of ids) await makeDeliveriesDue(server, id);
  return ids;
}

async function healthyMerchant(t: ExecutionContext, server: TestServer, onEvent = () => {}) {
  const receiver = await startReceiver({ onEvent });
  t.teardown(() => receiver.stop());
  const { client } = await server.createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  return { receiver, client };
}

async function timeoutsOf(server: TestServer, endpointIds: string[]): Promise<number[]> {
  const rows = await server.database.query<{ endpoint_id: string; count: number }>(
    `select endpoint_id, count(*)::int from delivery_attempt join delivery on delivery.id = delivery_id
     where error = 'timeout' group by endpoint_id`,
  );
  return endpointIds.map((id) => rows.find(({ endpoint_id }) => endpoint_id === id)?.count ?? 0);
}

test('an endpoint gets its delivery while other endpoints hang, even before one of their attempts has timed out', async (t) => {
  const server = await startServer(t, env);
  const slow = await startHangingReceiver(t);
  const { receiver, client } = await healthyMerchant(t, server);
  const hung = await insertDueAt(server, slow.url, { endpoints: 3, each: 40 });
  await eventually(() => slow.held, 4);

  await payOnce(client);

  await receiver.waitFor(1);
  t.is(slow.held, 4);
  t.deepEqual(await timeoutsOf(server, hung), [0, 0, 0]);
});

test('endpoints whose attempts have timed out use only a part of the in-flight slots', async (t) => {
  const server = await startServer(t, { ...env, DELIVERY_CONNECT_TIMEOUT_MS: '200', DELIVERY_TIMEOUT_MS: '200' });
  const slow = await startHangingReceiver(t);
  const openThen: number[] = [];
  const { receiver, client } = await healthyMerchant(t, server, () => openThen.push(slow.held));
  const hung = await insertDueAt(server, slow.url, { endpoints: 8, each: 40 });
  await eventually(
    () => timeoutsOf(server, hung),
    (seen) => seen.every((count) => count >= 3),
  );

  for (let payments = 1; payments <= 10; payments++) {
    await payOnce(client);
    await receiver.waitFor(payments);
  }

  // The hanging receiver has two connections with deliveries in flight, and at most two connections whose end it has
  // not noticed yet.
  t.true(Math.max(...openThen) <= 4, `${openThen}`);
  t.true(Math.max(...openThen) > 0, 'the endpoints no longer hang');
});
