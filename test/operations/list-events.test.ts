import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { everyEvent } from '../support/events/every-event.ts';
import { eventually } from '../support/eventually.ts';
import {
  daysAgo,
  insertDeliveries,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 lists events, newest first, also those without a delivery', async (t) => {
  const { client } = await server().createMerchant();
  const first = await payOnce(client);
  const second = await payOnce(client);

  const { events, total } = await client.events.list();

  t.is(total, 2);
  t.deepEqual(
    events.map(({ reference }) => reference),
    [second, first],
  );
  const { completedAt } = await client.payments.get(second);
  t.like(events[0], {
    event: 'checkout.success',
    data: {
      reference: second,
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'ada@example.com',
    },
    timestamp: completedAt,
    mode: 'test',
    deliveries: { pending: 0, delivered: 0, failed: 0, skipped: 0 },
  });
});

test('200 counts the deliveries of each event by status, including resent ones', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const [one, two] = await Promise.all([
    client.webhookEndpoints.register({ url: unreachableUrl }),
    client.webhookEndpoints.register({ url: unreachableUrl }),
  ]);
  await client.webhookEndpoints.update(two.id, { isActive: false });
  await payOnce(client);
  await waitForDeliveries(client);
  const [failed] = (await client.deliveries.list({ webhookId: one.id })).deliveries;
  await client.webhookEndpoints.update(one.id, { isActive: false });
  await client.deliveries.resend(failed?.id ?? '');
  await insertDeliveries(server(), merchant, { webhookId: one.id, status: 'pending' });

  const { events } = await client.events.list();

  t.deepEqual(
    events.map(({ deliveries }) => deliveries),
    [
      { pending: 1, delivered: 0, failed: 0, skipped: 0 },
      { pending: 0, delivered: 0, failed: 1, skipped: 2 },
    ],
  );
});

test('200 begins with the oldest on request, skips offset records and returns at most limit', async (t) => {
  const { client } = await server().createMerchant();
  const references: string[] = [];
  for (let count = 0; count < 4; count += 1) references.push(await payOnce(client));
  const list = async (query: Parameters<typeof client.events.list>[0]) =>
    (await client.events.list(query)).events.map(({ reference }) => reference);

  // Oldest first, an event is missing while an earlier transaction of another test is open.
  await eventually(() => list({ order: 'asc' }), references);
  t.deepEqual(await list({ order: 'asc', limit: 2, offset: 1 }), references.slice(1, 3));
  t.deepEqual(await list({ limit: 1 }), references.slice(-1));
  t.is((await client.events.list({ limit: 1 })).total, 4);
});

test('200 filters by event, reference and time', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const at = daysAgo(9);
  await insertDeliveries(server(), merchant, { webhookId, reference: 'order-1', createdAt: at });
  await insertDeliveries(server(), merchant, { webhookId, reference: 'order-2', event: 'checkout.failed' });
  const list = async (query: Parameters<typeof merchant.client.events.list>[0]) =>
    (await merchant.client.events.list(query)).events.map(({ reference }) => reference);

  t.deepEqual(await list({ event: 'checkout.failed' }), ['order-2']);
  t.deepEqual(await list({ event: ['checkout.failed', 'checkout.success'] }), ['order-2', 'order-1']);
  t.deepEqual(await list({ event: ['checkout.failed', 'transfer.failed'] }), ['order-2']);
  t.deepEqual(await list({ reference: 'order-1' }), ['order-1']);
  t.deepEqual(await list({ from: at, to: daysAgo(9, 1) }), ['order-1']);
  t.deepEqual(await list({ to: at }), []);
  t.deepEqual(await list({ event: 'checkout.failed', reference: 'order-1' }), []);
});

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const reference = await payOnce(owner.client);

  t.is((await other.client.events.list({ reference })).total, 0);
  t.is((await owner.liveClient.events.list({ reference })).total, 0);
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['an event is unknown', 'event=checkout.done', 'invalid_parameter', 'event'],
  ['the order is unknown', 'order=random', 'invalid_parameter', 'order'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['to is no time', 'to=tomorrow', 'invalid_parameter', 'to'],
  ['a parameter is unknown', 'status=failed', 'unknown_parameter', 'status'],
];

for (const [situation, query, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const asked = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.events.list(asked as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}

test('200 gives each event the data of its webhook, for programs and for the compiler', async (t) => {
  const { client } = await server().createMerchant();
  const seen = await everyEvent(client);

  const { events } = await client.events.list({ limit: 100 });

  t.deepEqual([...new Set<string>(events.map(({ event }) => event))].sort(), seen.toSorted());
  for (const record of events) {
    // Deliveries go on between the two calls.
    const { deliveries } = record;
    t.deepEqual({ ...(await client.events.get(record.id)), deliveries }, record);
    switch (record.event) {
      case 'checkout.expired':
        t.is(record.data.reason, 'cancelled');
        break;
      case 'transfer.success':
      case 'transfer.failed':
        t.is(record.data.recipientName, 'Grace Hopper');
        break;
      case 'refund.success':
      case 'refund.failed':
        t.is((await client.payments.get(record.data.paymentReference)).status, 'completed');
        break;
      case 'test.event':
        t.is(record.data.customerEmail, 'customer@example.com');
        break;
      default:
        t.is(record.data.customerEmail, 'ada@example.com');
    }
  }
});
