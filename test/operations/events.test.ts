import { NotFoundError, type Tillhook, ValidationError } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { v7 } from 'uuid';
import { everyEvent } from '../support/events/every-event.ts';
import { holdEvent, insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import {
  daysAgo,
  insertDeliveries,
  insertFailedAttempts,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

test('getEvent 200 returns the event whose id is in the header webhook-id of a delivery', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const reference = await payOnce(client);
  const [delivery] = await receiver.waitFor(1);
  await waitForDeliveries(client);

  const event = await client.events.get(String(delivery?.headers['webhook-id']));

  const { data, timestamp } = JSON.parse(String(delivery?.body));
  t.like(event, { event: 'checkout.success', data, timestamp, reference, mode: 'test' });
  t.deepEqual(event.deliveries, { pending: 0, retrying: 0, delivered: 1, failed: 0, skipped: 0 });
});

test('getEvent 200 has the time of the event, and the time when the event was stored', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const createdAt = daysAgo(9);
  await insertDeliveries(server(), merchant, { webhookId, reference: 'order-1', createdAt });
  const [listed] = (await merchant.client.events.list()).events;

  const event = await merchant.client.events.get(String(listed?.id));

  t.like(event, { timestamp: '2026-11-21T10:00:00.000Z', createdAt });
  t.deepEqual(listed, event);
});

test('getEvent 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.events.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('getEvent 404 when the event belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await payOnce(owner.client);
  const [event] = (await owner.client.events.list()).events;

  await t.throwsAsync(other.client.events.get(event?.id ?? ''), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.events.get(event?.id ?? ''), { instanceOf: NotFoundError });
});

test('listEvents 200 lists events, newest first, including events without a delivery', async (t) => {
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
    deliveries: { pending: 0, retrying: 0, delivered: 0, failed: 0, skipped: 0 },
  });
});

test('listEvents 200 counts the deliveries of each event by status, including resent deliveries', async (t) => {
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
  const pending = { webhookId: one.id, status: 'pending' } as const;
  await insertDeliveries(server(), merchant, pending);
  await insertFailedAttempts(server(), await insertDeliveries(server(), merchant, pending));

  const { events } = await client.events.list();

  t.deepEqual(
    events.map(({ deliveries }) => deliveries),
    [
      { pending: 1, retrying: 1, delivered: 0, failed: 0, skipped: 0 },
      { pending: 1, retrying: 0, delivered: 0, failed: 0, skipped: 0 },
      { pending: 0, retrying: 0, delivered: 0, failed: 1, skipped: 2 },
    ],
  );
});

test('listEvents 200 lists the oldest first with order=asc, skips `offset` events and returns at most `limit`', async (t) => {
  const { client } = await server().createMerchant();
  const references: string[] = [];
  for (let count = 0; count < 4; count += 1) references.push(await payOnce(client));
  const list = async (query: Parameters<typeof client.events.list>[0]) =>
    (await client.events.list(query)).events.map(({ reference }) => reference);

  // With order=asc, an event is not listed while an earlier transaction of another test is open.
  await eventually(() => list({ order: 'asc' }), references);
  t.deepEqual(await list({ order: 'asc', limit: 2, offset: 1 }), references.slice(1, 3));
  t.deepEqual(await list({ limit: 1 }), references.slice(-1));
  t.is((await client.events.list({ limit: 1 })).total, 4);
});

test('listEvents 200 filters by event, reference and time', async (t) => {
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

test('listEvents 200 never shows an event of another merchant or of the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const reference = await payOnce(owner.client);

  t.is((await other.client.events.list({ reference })).total, 0);
  t.is((await owner.liveClient.events.list({ reference })).total, 0);
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['an event is unknown', 'event=checkout.done', 'invalid_parameter', 'event'],
  ['the order is unknown', 'order=random', 'invalid_parameter', 'order'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['to is not a time', 'to=tomorrow', 'invalid_parameter', 'to'],
  ['a parameter is unknown', 'status=failed', 'unknown_parameter', 'status'],
];

for (const [situation, query, code, param] of refused) {
  test(`listEvents 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const parameters = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.events.list(parameters as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}

test('listEvents 200 returns each event with the data of its webhook, in the form that the types of the SDK describe', async (t) => {
  const { client } = await server().createMerchant();
  const seen = await everyEvent(client);

  const { events } = await client.events.list({ limit: 100 });

  t.deepEqual([...new Set<string>(events.map(({ event }) => event))].sort(), seen.toSorted());
  for (const record of events) {
    // The dispatcher may change the counts of deliveries between the two calls.
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

const withoutWorker = serverForFile({ ROLE: 'api' });

/** The calls of all tests are counted, so the tests that use this function are serial. */
const heldCalls = (count: number) => eventually(() => withoutWorker().arrange('countHeldCalls', {}), count);

type Query = NonNullable<Parameters<Tillhook['events']['list']>[0]>;

const idsOf = async ({ client }: TestMerchant, query: Query) =>
  (await client.events.list(query)).events.map(({ id }) => id);

/** An open transaction of another test may delay the moment at which an event is final. */
async function insertEvents(t: ExecutionContext, merchant: TestMerchant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await insertEvent(t, withoutWorker(), { merchant }));
  await eventually(() => idsOf(merchant, { order: 'asc' }), ids);
  return ids;
}

test('listEvents 200 as a feed continues after an event, oldest first, with a total of at most `limit` + 1', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const ids = await insertEvents(t, merchant, 5);

  const page = await merchant.client.events.list({ after: ids[0] ?? '', limit: 2 });
  t.deepEqual(
    page.events.map(({ id }) => id),
    ids.slice(1, 3),
  );
  t.is(page.total, 3);
  t.deepEqual(await merchant.client.events.list({ after: ids[4] ?? '' }), { events: [], total: 0 });
  t.deepEqual(await idsOf(merchant, { after: ids[3] ?? '', wait: 25 }), ids.slice(4));
});

test('listEvents 200 as a feed lists older events, in the order of creation, with order=desc and `after`', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const ids = await insertEvents(t, merchant, 4);

  t.deepEqual(await idsOf(merchant, { order: 'desc', after: ids[3] ?? '', limit: 2 }), [ids[2], ids[1]]);
  t.deepEqual(await idsOf(merchant, { order: 'desc', after: ids[0] ?? '' }), []);
});

test.serial('listEvents 200 as a feed waits for an event that this server publishes', async (t) => {
  const { client } = await withoutWorker().createMerchant();
  const first = client.events.list({ order: 'asc', wait: 25 });
  await heldCalls(1);
  const reference = await payOnce(client);

  const [event] = (await first).events;
  t.is(event?.reference, reference);

  const second = client.events.list({ after: event?.id ?? '', wait: 25 });
  await heldCalls(1);
  const next = await payOnce(client);
  t.deepEqual(
    (await second).events.map((one) => one.reference),
    [next],
  );
});

test.serial('listEvents 200 as a feed waits for an event that another process publishes', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const [first] = await insertEvents(t, merchant, 1);
  const held = await holdEvent(t, withoutWorker(), { merchant });
  const answer = idsOf(merchant, { after: first ?? '', wait: 25 });
  await heldCalls(1);

  await held.commit();

  t.deepEqual(await answer, [held.id]);
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const filters: [name: string, query: Query, matching: { event?: string; reference?: string; at?: Date }][] = [
  ['event', { event: ['checkout.failed'] }, { event: 'checkout.failed' }],
  ['reference', { reference: 'order-2' }, { reference: 'order-2' }],
  ['from', { from: inHours(1).toISOString() }, { at: inHours(2) }],
  ['to', { to: inHours(-1).toISOString() }, { at: inHours(-2) }],
];

for (const [name, query, matching] of filters) {
  test.serial(`listEvents 200 as a feed waits until a new event matches the filter ${name}`, async (t) => {
    const merchant = await withoutWorker().createMerchant();
    const [first = ''] = await insertEvents(t, merchant, 1);
    const answer = merchant.client.events.list({ after: first, wait: 25, ...query });
    await heldCalls(1);

    const others = [
      await insertEvent(t, withoutWorker(), { merchant }),
      await insertEvent(t, withoutWorker(), { merchant }),
    ];
    await eventually(() => idsOf(merchant, { after: first }), others);
    const id = await insertEvent(t, withoutWorker(), { merchant, ...matching });

    const { events, total } = await answer;
    t.deepEqual([events.map((event) => event.id), total], [[id], 1]);
  });
}

test('listEvents 200 as a feed accepts a time with a UTC offset that Postgres would refuse', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const at = (hours: number) =>
    inHours(hours - 17)
      .toISOString()
      .replace('Z', '-17:00');

  t.deepEqual(await eventually(() => idsOf(merchant, { order: 'asc', from: at(-1), to: at(1) }), [first]), [first]);
  t.deepEqual(await idsOf(merchant, { order: 'asc', from: at(1) }), []);
  t.deepEqual(await idsOf(merchant, { order: 'asc', to: at(-1) }), []);
});

test('listEvents 200 as a feed starts at the newest event with order=desc and `wait`, even while an earlier transaction is open', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const late = await holdEvent(t, withoutWorker(), { merchant });
  const second = await insertEvent(t, withoutWorker(), { merchant });

  t.deepEqual(await idsOf(merchant, { limit: 1 }), [second]);
  t.deepEqual(await idsOf(merchant, { order: 'desc', limit: 1, wait: 0 }), [first]);

  await late.commit();
  t.deepEqual(
    await eventually(
      () => idsOf(merchant, { after: first }),
      ({ length }) => length === 2,
    ),
    [late.id, second],
  );
});

test('listEvents 200 as a feed with order=desc and `wait` starts after the event that became final last, whatever its id', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const [highest = ''] = await insertEvents(t, merchant, 1);
  const last = await insertEvent(t, withoutWorker(), { merchant, at: new Date(Date.now() - 3_600_000) });
  await eventually(() => idsOf(merchant, { order: 'asc' }), [highest, last]);

  t.deepEqual(await idsOf(merchant, {}), [highest, last]);
  t.deepEqual(await idsOf(merchant, { order: 'desc', wait: 0 }), [last, highest]);
  t.is((await merchant.client.events.list({ order: 'desc', limit: 1, wait: 25 })).total, 2);
});

test.serial('listEvents 200 as a feed waits for the first event of a merchant', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  t.deepEqual(await merchant.client.events.list({ order: 'desc', limit: 1, wait: 0 }), { events: [], total: 0 });
  const answers = [idsOf(merchant, { order: 'asc', wait: 25 }), idsOf(merchant, { order: 'desc', wait: 25 })];
  await heldCalls(2);

  const id = await insertEvent(t, withoutWorker(), { merchant });

  t.deepEqual(await Promise.all(answers), [[id], [id]]);
});

test.serial('listEvents 200 as a feed returns an empty page when no event was published during the wait', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const other = await withoutWorker().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const answer = merchant.client.events.list({ after: first, wait: 1 });
  await heldCalls(1);
  await insertEvent(t, withoutWorker(), { merchant: other });
  await insertEvent(t, withoutWorker(), { merchant, mode: 'live' });

  t.deepEqual(await answer, { events: [], total: 0 });
});

const oneOfYours = 'is the id of none of your records in this list and mode';
const removed =
  'is older than the 30 days for which events are kept; begin again with order=asc and without after, and send from to begin at a time';

test('listEvents 400 as a feed when the event in `after` is unknown; if it was purged, the message says what to do', async (t) => {
  const [owner, other] = [await withoutWorker().createMerchant(), await withoutWorker().createMerchant()];
  const foreign = await insertEvent(t, withoutWorker(), { merchant: other });
  const ofLive = await insertEvent(t, withoutWorker(), { merchant: owner, mode: 'live' });
  const daysAgo = (days: number) => v7({ msecs: Date.now() - days * 86_400_000 });
  const cases: [after: string, problem: string][] = [
    [foreign, oneOfYours],
    [ofLive, oneOfYours],
    [daysAgo(29), oneOfYours],
    [daysAgo(-1), oneOfYours],
    ['5f1c0d7e-3a4b-4c2d-9e8f-7a6b5c4d3e2f', oneOfYours],
    [daysAgo(31), removed],
  ];

  for (const order of ['asc', 'desc'] as const) {
    for (const [after, problem] of cases) {
      const error = await t.throwsAsync(owner.client.events.list({ after, order }), { instanceOf: ValidationError });
      t.like(error, { code: 'invalid_parameter', param: 'after', details: [{ path: '/after', message: problem }] });
    }
  }
});

const id = '019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f62';
const refusedFeeds: [situation: string, query: string, param: string][] = [
  ['after is not an id', 'after=first', 'after'],
  ['wait is more than 25', 'wait=26', 'wait'],
  ['wait is negative', 'wait=-1', 'wait'],
  ['wait is text', 'wait=long', 'wait'],
  ['wait is a fraction', 'wait=0.5', 'wait'],
  ['offset is sent together with after', `after=${id}&offset=0`, 'offset'],
  ['offset is sent together with wait', 'wait=0&offset=0', 'offset'],
  ['wait is sent together with after and order=desc', `after=${id}&order=desc&wait=0`, 'wait'],
];

for (const [situation, query, param] of refusedFeeds) {
  test(`listEvents 400 as a feed when ${situation}`, async (t) => {
    const { client } = await withoutWorker().createMerchant();
    const parameters = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.events.list(parameters as never), { instanceOf: ValidationError });

    t.like(error, { code: 'invalid_parameter', param });
    t.is(error?.details.length, 1);
  });
}
