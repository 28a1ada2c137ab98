import './unobserved.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Delivery, startReceiver } from '@tillhook/mock/receiver';
import { readContract } from '@tillhook/openapi';
import { Tillhook, ValidationError } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import type { Checkout } from '../../mock/src/memory/checkout.ts';
import { createMemory } from '../../mock/src/memory/memory.ts';
import { eventually } from '../support/eventually.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

const order = { email: 'ada@example.com', amount: 500 };

async function start(t: ExecutionContext) {
  const mock = await startMockInRun();
  t.teardown(() => mock.stop());
  const clientOf = (key: string) => new Tillhook(key, { baseUrl: mock.url, fetch: contractFetch, maxRetries: 0 });
  const receiverFor = async (client: Tillhook, events?: ['checkout.success']) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const endpoint = await client.webhookEndpoints.register({ url: receiver.url, ...(events && { events }) });
    await receiver.addSecret(endpoint.secret);
    return { receiver, endpoint };
  };
  return { mock, client: clientOf('sk_test_mock'), live: clientOf('sk_live_mock'), receiverFor };
}

const eventsIn = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ headers, verification }) => `${headers['x-service-event']} ${verification}`).sort();

test('payments that the mock remembers come before the 45 examples, and each mode has separate payments', async (t) => {
  const { client, live } = await start(t);
  const { reference } = (await client.checkout.create(order)).data;
  const inLive = (await live.checkout.create({ ...order, reference })).data;

  const list = await client.payments.list({ limit: 2 });
  t.is(list.total, 46);
  t.like(list.payments[0], { reference, status: 'pending', mode: 'test' });
  t.is((await live.payments.list()).total, 46);
  await client.test.completePayment(reference);
  t.is((await client.payments.get(reference)).status, 'completed');
  t.like(await live.payments.get(reference), { status: 'pending', mode: 'live', checkoutUrl: inLive.checkoutUrl });
});

test('a payment that the mock remembers replaces the example with the same reference', async (t) => {
  const { client } = await start(t);
  await client.checkout.create({ ...order, reference: 'order-1042' });

  t.like(await client.payments.list({ reference: 'order-1042' }), { total: 1, payments: [{ status: 'pending' }] });
  t.is((await client.payments.list()).total, 45);
});

test('with remembers: false, the mock always gives the same answer to the same call', async (t) => {
  const mock = await startMockInRun({ remembers: false });
  t.teardown(() => mock.stop());
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url, fetch: contractFetch });

  const [first, second] = [await client.checkout.create(order), await client.checkout.create(order)];

  t.deepEqual(first.data, second.data);
  t.is((await client.payments.list()).total, 45);
});

test('the mock remembers the last 1,000 payments', async (t) => {
  const { client, mock } = await start(t);
  const { reference } = (await client.checkout.create(order)).data;
  const headers = { 'x-api-key': 'sk_test_mock', 'content-type': 'application/json' };
  // `fetch` is faster here than the client, which would check each of these answers against the contract.
  const create = () =>
    fetch(`${mock.url}/api/v1/payments/checkout`, { method: 'POST', headers, body: JSON.stringify(order) });
  for (let round = 0; round < 27; round++) await Promise.all(Array.from({ length: 37 }, create));
  t.is((await client.payments.list()).total, 1045);
  t.is((await client.payments.get(reference)).status, 'pending');

  await client.checkout.create(order);

  t.is((await client.payments.list()).total, 1045);
  await t.throwsAsync(async () => client.payments.get(reference), { message: 'No such resource' });
});

test('each registered endpoint receives its subscribed events, signed with the secret of the endpoint', async (t) => {
  const { client, live, receiverFor } = await start(t);
  const every = await receiverFor(client);
  const some = await receiverFor(client, ['checkout.success']);
  const other = await receiverFor(live);

  const failed = (await client.checkout.create(order)).data.reference;
  const paid = (await client.checkout.create(order)).data.reference;
  await client.test.failPayment(failed);
  await client.test.completePayment(paid);
  await client.refunds.create(paid, { amount: 200 });

  t.not(every.endpoint.secret, some.endpoint.secret);
  t.deepEqual(eventsIn(await every.receiver.waitFor(3)), [
    'checkout.failed verified',
    'checkout.success verified',
    'refund.success verified',
  ]);
  t.deepEqual(eventsIn(await some.receiver.waitFor(1)), ['checkout.success verified']);
  t.is(other.receiver.deliveries.length, 0);
  const [{ body, headers }] = (await some.receiver.waitFor(1)) as [Delivery];
  const webhook = await unwrap(body, headers, some.endpoint.secret);
  t.like(webhook, { event: 'checkout.success', webhookId: some.endpoint.id, data: { reference: paid, amount: 500 } });
  await t.throwsAsync(unwrap(body, headers, every.endpoint.secret));
});

test('a delivery is retried until the receiver accepts it, and the lists of events and deliveries show the delivery', async (t) => {
  const { client, receiverFor } = await start(t);
  const { receiver, endpoint } = await receiverFor(client);
  receiver.setAnswer((_, index) => (index === 0 ? { status: 503, body: 'restarting' } : {}));
  const { reference } = (await client.checkout.create(order)).data;
  await client.payments.cancel(reference);

  const [first, second] = await receiver.waitFor(2, 20_000);
  t.deepEqual([first?.headers['x-service-attempt'], second?.headers['x-service-attempt']], ['1', '2']);
  const listed = () => client.deliveries.list({ webhookId: endpoint.id });
  await eventually(listed, ({ deliveries }) => deliveries[0]?.status === 'delivered');
  const { deliveries, total } = await listed();
  t.is(total, 1);
  const detail = await client.deliveries.get(deliveries[0]?.id ?? '');
  t.deepEqual(
    detail.attempts.map(({ statusCode, responseBody }) => [statusCode, responseBody]),
    [
      [503, 'restarting'],
      [200, 'ok'],
    ],
  );
  t.is(detail.request.body, String(second?.body));
  t.false(JSON.stringify(detail).includes('v1,'));
  const event = await client.events.get(detail.eventId);
  t.like(event, { event: 'checkout.expired', reference, data: { reason: 'cancelled' }, deliveries: { delivered: 1 } });
  t.deepEqual((await client.events.list({ limit: 1 })).events, [event]);
  t.like(await client.webhookEndpoints.get(endpoint.id), { successCount: 1, failureCount: 0 });

  const again = await client.deliveries.resend(detail.id);
  t.is(again.data.resentFrom, detail.id);
  const [, , third] = await receiver.waitFor(3);
  t.is(third?.headers['webhook-id'], detail.eventId);
});

test('a test event is sent once, and an endpoint that answers 410 is disabled', async (t) => {
  const { client, receiverFor } = await start(t);
  const { receiver, endpoint } = await receiverFor(client);
  const { data } = await client.webhookEndpoints.sendTest(endpoint.id);
  t.like(data, { delivered: true, statusCode: 200, responseBody: 'ok', attempt: 1 });
  receiver.setAnswer(() => ({ status: 410 }));

  await client.payments.cancel((await client.checkout.create(order)).data.reference);

  const disabled = await eventually(
    () => client.webhookEndpoints.get(endpoint.id),
    ({ isActive }) => !isActive,
  );
  t.is(disabled.disabledReason, 'endpoint_gone');
  await client.payments.cancel((await client.checkout.create(order)).data.reference);
  const { deliveries } = await client.deliveries.list({ webhookId: endpoint.id });
  t.deepEqual(
    deliveries.map(({ status, statusReason }) => [status, statusReason]),
    [
      ['skipped', 'endpoint_inactive'],
      ['failed', 'endpoint_gone'],
      ['delivered', null],
    ],
  );
  await client.webhookEndpoints.update(endpoint.id, { isActive: true });
  receiver.setAnswer();
  const { data: replayed } = await client.webhookEndpoints.replay(endpoint.id, { since: '2020-01-01T00:00:00Z' });
  t.is(replayed.count, 2);
  t.is((await receiver.waitFor(4)).length, 4);
});

test('advancing the clock of test mode expires pending checkouts and makes a waiting delivery due', async (t) => {
  const { client, live, receiverFor } = await start(t);
  const { receiver } = await receiverFor(client);
  receiver.setAnswer((_, index) => ({ status: index === 0 ? 500 : 200 }));
  const { reference } = (await client.checkout.create(order)).data;
  const inLive = (await live.checkout.create(order)).data.reference;

  const early = await client.test.advanceTime({ seconds: 86_300 });
  t.like(early, { seconds: 86_300, moved: { checkouts: 1, deliveries: 0, transfers: 0 } });
  t.is((await client.payments.get(reference)).status, 'pending');
  await client.test.advanceTime({ seconds: 100 });
  await receiver.waitFor(1, 20_000);
  await client.test.advanceTime({ seconds: 5 });

  t.is((await client.payments.get(reference)).status, 'expired');
  const [, second] = await receiver.waitFor(2, 20_000);
  t.like(second?.headers, { 'x-service-event': 'checkout.expired', 'x-service-attempt': '2' });
  t.is((await live.payments.get(inLive)).status, 'pending');
});

test('after the clock of test mode was advanced, a checkout expires at its new deadline, or fails if a card was declined', async (t) => {
  const stopping = new AbortController();
  t.teardown(() => stopping.abort());
  const { model } = readContract();
  const { payments, recall, answer } = createMemory(model, { stopping: stopping.signal });
  const createCheckout = model.operationById.get('createCheckout');
  const request = { body: { ...order, expiresIn: 300 }, path: {}, query: {}, headers: {}, mode: 'test' as const };
  if (!createCheckout) throw new Error('The contract has no operation createCheckout.');
  const create = async () => {
    const { data } = (await answer(createCheckout, request, {})) as { data: { accessCode: string } };
    return payments.find(data.accessCode) as Checkout;
  };
  const [waiting, declined] = [await create(), await create()];
  payments.act(declined, 'decline');

  t.is(payments.advance('live', 300), 0);
  t.is(payments.advance('test', 200), 2);
  t.is(waiting.payment.status, 'pending');
  t.is(payments.advance('test', 100), 2);

  t.deepEqual([waiting.payment.status, declined.payment.status], ['expired', 'failed']);
  t.deepEqual(
    recall('listEvents', request).map(({ event }) => event),
    ['checkout.expired', 'checkout.failed'],
  );
  t.is(payments.advance('test', 100), 0);
});

async function startFeed(t: ExecutionContext) {
  const mock = await startMockInRun();
  const receiver = await startReceiver();
  t.teardown(() => Promise.all([mock.stop(), receiver.stop()]));
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url, fetch: contractFetch });
  const send = async (reference: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ event: 'checkout.success', url: receiver.url, data: { reference } });
    const answer = await fetch(`${mock.url}/__mock/events`, { method: 'POST', headers, body });
    return (await answer.json()) as { eventId: string };
  };
  return { client, send };
}

test('a program that follows the events of the mock gets all past events, oldest first, and then each new event', async (t) => {
  const { client, send } = await startFeed(t);
  const newestFirst = await client.events.list().toArray({ max: 100 });

  const ids: string[] = [];
  let sending: Promise<{ eventId: string }[]> | undefined;
  for await (const { id } of client.events.follow({ from: 'oldest' })) {
    ids.push(id);
    if (ids.length === newestFirst.length) sending = Promise.all([send('order-1'), send('order-2')]);
    if (ids.length === newestFirst.length + 2) break;
  }

  t.deepEqual(ids.slice(0, newestFirst.length), newestFirst.map(({ id }) => id).reverse());
  const sent = (await sending)?.map(({ eventId }) => eventId);
  t.deepEqual(ids.slice(newestFirst.length).sort(), sent?.sort());
});

test('a request with the parameter wait is answered when the mock sends an event', async (t) => {
  const { client, send } = await startFeed(t);
  const [newest] = (await client.events.list({ limit: 1 })).events;
  const after = newest?.id ?? '';

  let isAnswered = false;
  const held = client.events
    .list({ after, wait: 25 })
    .result()
    .finally(() => {
      isAnswered = true;
    });
  await client.events.list({ limit: 2 });
  t.false(isAnswered);
  const { eventId } = await send('order-1');

  const later = client.events.list({ after: eventId, wait: 5 }).result();
  t.is(await Promise.race([held, later]).then(({ data: first }) => first?.total), 1);
  const { data } = await held;
  t.like(data, { events: [{ id: eventId, reference: 'order-1', event: 'checkout.success' }], total: 1 });
  await eventually(
    () => client.events.get(eventId).then(async () => (await client.events.list({ limit: 1 })).events[0]?.deliveries),
    (deliveries) => deliveries?.delivered === 1,
  );
});

test('`mock:event` sends an event without adding it to the events of a running mock, as the guide of the mock says', async (t) => {
  const { client } = await startFeed(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const before = await client.events.list();
  const file = new URL('../../mock/src/commands/mock.ts', import.meta.url).pathname;
  const args = ['--conditions=@tillhook/source', file, 'event', 'checkout.success', '--to', receiver.url];

  await promisify(execFile)(process.execPath, args, { timeout: 60_000 });

  t.is(receiver.deliveries.length, 1);
  t.deepEqual(await client.events.list(), before);
  const guide = readFileSync(new URL('../../server/docs/guides/mock.md', import.meta.url), 'utf8');
  const [, ofCommand = '', ofCall = ''] = /mock:event -- (.*?)A program sends(.*?)```sh/s.exec(guide) ?? [];
  t.regex(ofCommand, /the event is not in `listEvents`/);
  t.regex(
    ofCall,
    /adds the event to its `listEvents`,\s+and answers calls of `listEvents` that wait for it with `wait`/,
  );
});

test('a request with the parameter wait is answered immediately if there is a next event, and with an empty list after the wait', async (t) => {
  const { client } = await startFeed(t);
  const [newest, previous] = (await client.events.list()).events;

  t.deepEqual(await client.events.list({ after: newest?.id ?? '', wait: 1 }), { events: [], total: 0 });
  const next = await client.events.list({ after: previous?.id ?? '', wait: 25 });
  t.deepEqual(next, { events: newest ? [newest] : [], total: 1 });
});

test('with the parameter after and order=desc, the mock lists older events; the mock rejects combinations that the contract forbids', async (t) => {
  const { client } = await startFeed(t);
  const [newest, previous] = (await client.events.list()).events;
  const after = newest?.id ?? '';

  const { events, total } = await client.events.list({ after, order: 'desc', limit: 1 });
  t.deepEqual([events, total], [[previous], 2]);
  for (const [query, param] of [
    [{ wait: 26 }, 'wait'],
    [{ after, order: 'desc', wait: 1 }, 'wait'],
    [{ wait: 1, offset: 3 }, 'offset'],
    [{ after: '00000000-0000-7000-8000-0000000000aa' }, 'after'],
  ] as const) {
    const error = await t.throwsAsync(client.events.list(query), { instanceOf: ValidationError });
    t.is(error?.param, param);
  }
});
