/** `listEvents` as a feed: with `after`, with `wait`, and oldest first. */
import { type Tillhook, ValidationError } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { v7 } from 'uuid';
import { holdEvent, insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api' });

/** Waits until so many calls of all tests are held. The tests that hold calls run one after another. */
const heldCalls = (count: number) => eventually(() => server().context.eventWaits.count(), count);

type Query = NonNullable<Parameters<Tillhook['events']['list']>[0]>;

const idsOf = async ({ client }: TestMerchant, query: Query) =>
  (await client.events.list(query)).events.map(({ id }) => id);

/** Inserts events, and waits until no transaction of another test holds them back. */
async function insertEvents(t: ExecutionContext, merchant: TestMerchant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await insertEvent(t, server(), { merchant }));
  await eventually(() => idsOf(merchant, { order: 'asc' }), ids);
  return ids;
}

test('200 continues after an event, oldest first, and counts to limit + 1', async (t) => {
  const merchant = await server().createMerchant();
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

test('200 goes back by creation with order=desc and after', async (t) => {
  const merchant = await server().createMerchant();
  const ids = await insertEvents(t, merchant, 4);

  t.deepEqual(await idsOf(merchant, { order: 'desc', after: ids[3] ?? '', limit: 2 }), [ids[2], ids[1]]);
  t.deepEqual(await idsOf(merchant, { order: 'desc', after: ids[0] ?? '' }), []);
});

test.serial('200 holds the answer until an event of this server is there', async (t) => {
  const { client } = await server().createMerchant();
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

test.serial('200 holds the answer until an event that another process saved is there', async (t) => {
  const merchant = await server().createMerchant();
  const [first] = await insertEvents(t, merchant, 1);
  const held = await holdEvent(t, server(), { merchant });
  const answer = idsOf(merchant, { after: first ?? '', wait: 25 });
  await heldCalls(1);

  await held.commit();

  t.deepEqual(await answer, [held.id]);
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
/** Each filter, and the event that matches it. */
const filters: [name: string, query: Query, matching: { event?: string; reference?: string; at?: Date }][] = [
  ['event', { event: ['checkout.failed'] }, { event: 'checkout.failed' }],
  ['reference', { reference: 'order-2' }, { reference: 'order-2' }],
  ['from', { from: inHours(1).toISOString() }, { at: inHours(2) }],
  ['to', { to: inHours(-1).toISOString() }, { at: inHours(-2) }],
];

for (const [name, query, matching] of filters) {
  test.serial(`200 waits on while new events do not match the filter ${name}`, async (t) => {
    const merchant = await server().createMerchant();
    const [first = ''] = await insertEvents(t, merchant, 1);
    const answer = merchant.client.events.list({ after: first, wait: 25, ...query });
    await heldCalls(1);

    const others = [await insertEvent(t, server(), { merchant }), await insertEvent(t, server(), { merchant })];
    await eventually(() => idsOf(merchant, { after: first }), others);
    const id = await insertEvent(t, server(), { merchant, ...matching });

    const { events, total } = await answer;
    t.deepEqual([events.map((event) => event.id), total], [[id], 1]);
  });
}

test('200 takes a time with an offset that Postgres refuses', async (t) => {
  const merchant = await server().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const at = (hours: number) =>
    inHours(hours - 17)
      .toISOString()
      .replace('Z', '-17:00');

  t.deepEqual(await eventually(() => idsOf(merchant, { order: 'asc', from: at(-1), to: at(1) }), [first]), [first]);
  t.deepEqual(await idsOf(merchant, { order: 'asc', from: at(1) }), []);
  t.deepEqual(await idsOf(merchant, { order: 'asc', to: at(-1) }), []);
});

test('200 begins now with order=desc and wait, also while an earlier transaction is open', async (t) => {
  const merchant = await server().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const late = await holdEvent(t, server(), { merchant });
  const second = await insertEvent(t, server(), { merchant });

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

test('200 begins now after the event that became final last, and not after the one with the highest id', async (t) => {
  const merchant = await server().createMerchant();
  const [highest = ''] = await insertEvents(t, merchant, 1);
  const last = await insertEvent(t, server(), { merchant, at: new Date(Date.now() - 3_600_000) });
  await eventually(() => idsOf(merchant, { order: 'asc' }), [highest, last]);

  t.deepEqual(await idsOf(merchant, {}), [highest, last]);
  t.deepEqual(await idsOf(merchant, { order: 'desc', wait: 0 }), [last, highest]);
  t.is((await merchant.client.events.list({ order: 'desc', limit: 1, wait: 25 })).total, 2);
});

test.serial('200 waits for the first event of a merchant', async (t) => {
  const merchant = await server().createMerchant();
  t.deepEqual(await merchant.client.events.list({ order: 'desc', limit: 1, wait: 0 }), { events: [], total: 0 });
  const answers = [idsOf(merchant, { order: 'asc', wait: 25 }), idsOf(merchant, { order: 'desc', wait: 25 })];
  await heldCalls(2);

  const id = await insertEvent(t, server(), { merchant });

  t.deepEqual(await Promise.all(answers), [[id], [id]]);
});

test.serial('200 is an empty page when nothing happened in the time', async (t) => {
  const merchant = await server().createMerchant();
  const other = await server().createMerchant();
  const [first = ''] = await insertEvents(t, merchant, 1);
  const answer = merchant.client.events.list({ after: first, wait: 1 });
  await heldCalls(1);
  await insertEvent(t, server(), { merchant: other });
  await insertEvent(t, server(), { merchant, mode: 'live' });

  t.deepEqual(await answer, { events: [], total: 0 });
});

const oneOfYours = 'is the id of none of your records in this list and mode';
const removed =
  'is older than the 30 days for which events are kept; begin again with order=asc and without after, and send from to begin at a time';

test('400 when the event to continue after is not known, and says what to do when it was removed', async (t) => {
  const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
  const foreign = await insertEvent(t, server(), { merchant: other });
  const ofLive = await insertEvent(t, server(), { merchant: owner, mode: 'live' });
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
const refused: [situation: string, query: string, param: string][] = [
  ['after is no id', 'after=first', 'after'],
  ['wait is more than 25', 'wait=26', 'wait'],
  ['wait is negative', 'wait=-1', 'wait'],
  ['wait is text', 'wait=long', 'wait'],
  ['wait is a fraction', 'wait=0.5', 'wait'],
  ['offset is sent together with after', `after=${id}&offset=0`, 'offset'],
  ['offset is sent together with wait', 'wait=0&offset=0', 'offset'],
  ['wait is sent together with after and order=desc', `after=${id}&order=desc&wait=0`, 'wait'],
];

for (const [situation, query, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const asked = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.events.list(asked as never), { instanceOf: ValidationError });

    t.like(error, { code: 'invalid_parameter', param });
    t.is(error?.details.length, 1);
  });
}
