import { startReceiver } from '@tillhook/mock/receiver';
import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import {
  daysAgo,
  insertDeliveries,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 lists the deliveries of every endpoint, newest first', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const first = await payOnce(client);
  const second = await payOnce(client);
  await waitForDeliveries(client);

  const { deliveries, total } = await client.deliveries.list();

  t.is(total, 2);
  t.deepEqual(
    deliveries.map(({ reference }) => reference),
    [second, first],
  );
  const sent = receiver.deliveries.find(({ headers }) => headers['x-service-delivery-id'] === deliveries[0]?.id);
  t.like(deliveries[0], {
    eventId: sent?.headers['webhook-id'],
    webhookId: endpoint.id,
    event: 'checkout.success',
    url: receiver.url,
    mode: 'test',
    status: 'delivered',
    statusReason: null,
    attemptCount: 1,
    nextAttemptAt: null,
    resentFrom: null,
  });
  t.truthy(deliveries[0]?.completedAt);
});

test('200 begins with the oldest on request, skips offset records and returns at most limit', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const ids = await insertDeliveries(server(), merchant, { webhookId, count: 25 });
  const list = async (query: Parameters<typeof merchant.client.deliveries.list>[0]) =>
    (await merchant.client.deliveries.list(query)).deliveries.map(({ id }) => id);

  t.deepEqual(await list({ order: 'asc', limit: 3, offset: 1 }), ids.slice(1, 4));
  t.deepEqual(await list({ order: 'desc', limit: 2 }), ids.slice(-2).reverse());
  t.is((await list({})).length, 20);
  t.is((await merchant.client.deliveries.list({ limit: 1 })).total, 25);
});

test('200 filters by endpoint, event, event id, status, reference and time, also combined', async (t) => {
  const merchant = await server().createMerchant();
  const [one, two] = await Promise.all([
    merchant.client.webhookEndpoints.register({ url: unreachableUrl }),
    merchant.client.webhookEndpoints.register({ url: unreachableUrl }),
  ]);
  const at = daysAgo(9);
  const [a] = await insertDeliveries(server(), merchant, { webhookId: one.id, reference: 'order-a', createdAt: at });
  const [b] = await insertDeliveries(server(), merchant, {
    webhookId: one.id,
    reference: 'order-b',
    event: 'checkout.failed',
  });
  const [c] = await insertDeliveries(server(), merchant, {
    webhookId: two.id,
    reference: 'order-a',
    status: 'skipped',
  });
  const list = async (query: Parameters<typeof merchant.client.deliveries.list>[0]) => {
    const { deliveries, total } = await merchant.client.deliveries.list({ ...query, order: 'asc' });
    t.is(total, deliveries.length);
    return deliveries.map(({ id }) => id);
  };

  t.deepEqual(await list({ webhookId: one.id }), [a, b]);
  t.deepEqual(await list({ event: 'checkout.failed' }), [b]);
  const { deliveries: ofA } = await merchant.client.deliveries.list({ webhookId: one.id, reference: 'order-a' });
  t.deepEqual(await list({ eventId: ofA[0]?.eventId ?? '' }), [a]);
  t.deepEqual(await list({ eventId: ofA[0]?.eventId ?? '', webhookId: two.id }), []);
  t.deepEqual(await list({ status: 'skipped' }), [c]);
  t.deepEqual(await list({ status: ['skipped', 'failed'] }), [a, b, c]);
  t.deepEqual(await list({ status: ['skipped', 'delivered'] }), [c]);
  t.deepEqual(await list({ status: ['pending', 'delivered'] }), []);
  t.deepEqual(await list({ event: ['checkout.failed', 'transfer.failed'] }), [b]);
  t.deepEqual(await list({ event: ['checkout.failed', 'checkout.success'], webhookId: one.id }), [a, b]);
  t.deepEqual(await list({ reference: 'order-a' }), [a, c]);
  t.deepEqual(await list({ from: at, to: daysAgo(9, 1) }), [a]);
  t.deepEqual(await list({ to: at }), []);
  t.deepEqual(await list({ reference: 'order-a', event: 'checkout.success', status: 'failed' }), [a]);
  t.deepEqual(await list({ reference: 'order-a', event: 'checkout.failed' }), []);
});

test('200 still lists deliveries of a removed endpoint', async (t) => {
  const merchant = await server().createMerchant();
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [delivery] = await insertDeliveries(server(), merchant, { webhookId: id });
  await merchant.client.webhookEndpoints.remove(id);

  const { deliveries } = await merchant.client.deliveries.list({ webhookId: id });

  t.like(deliveries[0], { id: delivery, webhookId: id, url: unreachableUrl });
});

test('200 shows nothing of another merchant or the other mode, for any filter', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  await insertDeliveries(server(), owner, { webhookId, reference: 'order-1' });

  const eventId = (await owner.client.deliveries.list({ webhookId })).deliveries[0]?.eventId ?? '';
  for (const query of [
    {},
    { webhookId },
    { eventId },
    { reference: 'order-1' },
    { event: 'checkout.success' as const },
  ]) {
    t.deepEqual(await other.client.deliveries.list(query), { deliveries: [], total: 0 });
    t.deepEqual(await owner.liveClient.deliveries.list(query), { deliveries: [], total: 0 });
  }
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['webhookId is not a UUID', 'webhookId=first', 'invalid_parameter', 'webhookId'],
  ['eventId is not a UUID', 'eventId=first', 'invalid_parameter', 'eventId'],
  ['an event is unknown', 'event=checkout.done', 'invalid_parameter', 'event'],
  ['a status is unknown', 'status=sent', 'invalid_parameter', 'status'],
  ['one of two statuses is unknown', 'status=failed&status=sent', 'invalid_parameter', 'status'],
  ['a reference is too short', 'reference=a', 'invalid_parameter', 'reference'],
  ['the order is unknown', 'order=random', 'invalid_parameter', 'order'],
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['from is no time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['a parameter is unknown', 'endpoint=1', 'unknown_parameter', 'endpoint'],
];

for (const [situation, query, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const sent = new URLSearchParams(query);
    const asked = Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]));

    const error = await t.throwsAsync(client.deliveries.list(asked as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}
