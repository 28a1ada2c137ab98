import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, makeDeliveriesDue, payOnce } from '../support/receivers/deliveries.ts';
import { startServer, type TestServer } from '../support/server/tillhook.ts';

/**
 * At its end the server does not wait for deliveries in flight, and a delivery that timed out is not retried during the
 * test.
 */
const env = { DELIVERY_CONCURRENCY: '8', SHUTDOWN_GRACE_MS: '0', DELIVERY_RETRY_DELAYS_MS: '3600000' };

/** Starts a receiver that never answers. */
async function startHanging(t: ExecutionContext) {
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open };
}

/** Creates endpoints at one address, each with this number of due deliveries. */
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

test('an endpoint receives while other endpoints hang, before any of them has timed out', async (t) => {
  const server = await startServer(t, env);
  const hanging = await startHanging(t);
  const { receiver, client } = await healthyMerchant(t, server);
  const hung = await insertDueAt(server, hanging.url, { endpoints: 3, each: 40 });
  await eventually(() => hanging.open.size, 4);

  await payOnce(client);

  await receiver.waitFor(1);
  t.is(hanging.open.size, 4);
  t.deepEqual(await timeoutsOf(server, hung), [0, 0, 0]);
});

test('endpoints that have timed out use only a part of the places in flight', async (t) => {
  const server = await startServer(t, { ...env, DELIVERY_CONNECT_TIMEOUT_MS: '200', DELIVERY_TIMEOUT_MS: '200' });
  const hanging = await startHanging(t);
  const openThen: number[] = [];
  const { receiver, client } = await healthyMerchant(t, server, () => openThen.push(hanging.open.size));
  const hung = await insertDueAt(server, hanging.url, { endpoints: 8, each: 40 });
  await eventually(
    () => timeoutsOf(server, hung),
    (seen) => seen.every((count) => count >= 3),
  );

  for (let payments = 1; payments <= 10; payments++) {
    await payOnce(client);
    await receiver.waitFor(payments);
  }

  // A quarter of eight, and as many connections whose end the hanging receiver has not noticed yet.
  t.true(Math.max(...openThen) <= 4, `${openThen}`);
  t.true(Math.max(...openThen) > 0, 'the endpoints still hang');
});
