import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, makeDeliveriesDue, payOnce } from '../support/receivers/deliveries.ts';
import { type HoldingReceiver, startHoldingReceiver } from '../support/receivers/holding-receiver.ts';
import { startServer, type TestMerchant, type TestServer } from '../support/server/tillhook.ts';

// No delivery times out: a receiver answers when the test tells it to. At most eight deliveries are in flight.
const env = {
  DELIVERY_CONCURRENCY: '8',
  DELIVERY_TIMEOUT_MS: '200000',
  DELIVERY_LEASE_MS: '400000',
  SHUTDOWN_GRACE_MS: '0',
};

interface Customer {
  server: TestServer;
  merchant: TestMerchant;
  mode: 'test' | 'live';
  receiver: HoldingReceiver;
  endpointIds: string[];
}

async function newCustomer(
  t: ExecutionContext,
  server: TestServer,
  { mode, endpoints = 1 }: { mode: 'test' | 'live'; endpoints?: number },
): Promise<Customer> {
  const [merchant, receiver] = [await server.createMerchant(), await startHoldingReceiver(t)];
  const { webhookEndpoints } = mode === 'live' ? merchant.liveClient : merchant.client;
  const endpointIds: string[] = [];
  for (let n = 0; n < endpoints; n++)
    endpointIds.push((await webhookEndpoints.register({ url: `${receiver.url}/${n}` })).id);
  return { server, merchant, mode, receiver, endpointIds };
}

/** Inserts this number of due deliveries for each endpoint. */
async function insertDue({ server, merchant, mode, endpointIds }: Customer, each: number): Promise<void> {
  for (const webhookId of endpointIds)
    await insertDeliveries(server, merchant, { webhookId, mode, count: each, status: 'pending' });
  for (const webhookId of endpointIds) await makeDeliveriesDue(server, webhookId);
}

const answered = ({ receiver }: Customer, count: number) => eventually(() => receiver.answered, count);

for (const mode of ['test', 'live'] as const) {
  test(`a ${mode} merchant whose fast endpoints all become slow at once does not delay other merchants`, async (t) => {
    const server = await startServer(t, env);
    const slow = await newCustomer(t, server, { mode, endpoints: 16 });
    const healthy = [await newCustomer(t, server, { mode: 'live' }), await newCustomer(t, server, { mode: 'test' })];
    await insertDue(slow, 10);
    await answered(slow, 160);

    slow.receiver.hold();
    await insertDue(slow, 40);
    await eventually(
      () => slow.receiver.held,
      (held) => held > 0,
    );
    for (const customer of healthy) await insertDue(customer, 50);

    for (const customer of healthy) await answered(customer, 50);
    t.is(slow.receiver.answered, 160, 'the slow endpoints answered nothing in the meantime');
    t.true(slow.receiver.held > 0);
    slow.receiver.answerAll();
    await answered(slow, 160 + 640);
  });
}

/**
 * At its end the server does not wait for deliveries in flight, and a delivery that timed out is not retried during the
 * test.
 */
const fewPlaces = { DELIVERY_CONCURRENCY: '8', SHUTDOWN_GRACE_MS: '0', DELIVERY_RETRY_DELAYS_MS: '3600000' };

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
  const server = await startServer(t, fewPlaces);
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
  const server = await startServer(t, { ...fewPlaces, DELIVERY_CONNECT_TIMEOUT_MS: '200', DELIVERY_TIMEOUT_MS: '200' });
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

test('a stop aborts a delivery that outlasts the grace time, returns it to the queue and ends without an error', async (t) => {
  const server = await startServer(t, { SHUTDOWN_GRACE_MS: '100' });
  const [merchant, receiver] = [await server.createMerchant(), await startHoldingReceiver(t)];
  receiver.hold();
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(merchant.client);
  await eventually(() => receiver.held, 1);

  await t.notThrowsAsync(server.stop());

  t.deepEqual(await server.database.query('select lease, attempt_count from owed_delivery'), [
    { lease: null, attempt_count: 0 },
  ]);
});
