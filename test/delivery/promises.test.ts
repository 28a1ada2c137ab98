import { type AnswerDelivery, type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { unwrap } from '@tillhook/sdk/webhooks';
import { maxClaims } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { insertDeliveries, makeDeliveriesDue, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);

async function receiverFor(t: ExecutionContext, answer?: AnswerDelivery): Promise<Receiver> {
  const receiver = await startReceiver({ answer: answer ?? (() => ({ status: 200 })) });
  t.teardown(() => receiver.stop());
  return receiver;
}

async function createPaidMerchant(receiver: Receiver) {
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, description: 'Zoë’s ☕' });
  await payByForm(data.checkoutUrl, '4242 4242 4242 4242');
  return { client, endpoint, reference: data.reference };
}

const attemptsOf = (endpointId: string) =>
  server().database.query<{ attempt: number; status_code: number | null; error: string | null; status: string }>(
    `select a.attempt, a.status_code, a.error, d.status from delivery d join delivery_attempt a on a.delivery_id = d.id
     where d.endpoint_id = $1 order by a.attempt`,
    [endpointId],
  );

test('the SDK verifies a delivery with the secret of the registration', async (t) => {
  const receiver = await receiverFor(t);
  const { endpoint, reference } = await createPaidMerchant(receiver);

  const [delivery] = await receiver.waitFor(1);

  const event = await unwrap(delivery?.body ?? '', delivery?.headers ?? {}, endpoint.secret);
  t.like(event, { event: 'checkout.success', data: { reference } });
});

test('an event is sent to every endpoint that subscribes to it, and to no other endpoint', async (t) => {
  const [all, subscribed, other] = await Promise.all([receiverFor(t), receiverFor(t), receiverFor(t)]);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: all.url });
  await client.webhookEndpoints.register({ url: subscribed.url, events: ['checkout.success'] });
  const unwanted = await client.webhookEndpoints.register({ url: other.url, events: ['checkout.failed'] });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  await Promise.all([all.waitFor(1), subscribed.waitFor(1)]);
  t.is(all.deliveries.length, 1);
  t.is(subscribed.deliveries.length, 1);
  t.is(other.deliveries.length, 0);
  t.is((await server().database.query('select from delivery where endpoint_id = $1', [unwanted.id])).length, 0);
  t.is(all.deliveries[0]?.headers['webhook-id'], subscribed.deliveries[0]?.headers['webhook-id']);
});

test('every attempt sends identical bytes, retries end with the first success, and the success is counted once', async (t) => {
  const receiver = await receiverFor(t, (_delivery, index) => ({ status: index < 2 ? 500 : 200 }));
  const { client, endpoint } = await createPaidMerchant(receiver);

  const deliveries = await receiver.waitFor(3);

  t.is(new Set(deliveries.map(({ body }) => body.toString('hex'))).size, 1);
  t.deepEqual(
    deliveries.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3'],
  );
  t.is(new Set(deliveries.map(({ headers }) => headers['x-service-signature'])).size, 1);
  t.is(new Set(deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size, 1);
  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.successCount, 1);
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 1, failureCount: 0 });
  t.truthy((await client.webhookEndpoints.list()).webhooks[0]?.lastDeliveredAt);
  t.like(await attemptsOf(endpoint.id), [
    { attempt: 1, status_code: 500, status: 'delivered' },
    { attempt: 2, status_code: 500 },
    { attempt: 3, status_code: 200 },
  ]);
});

test('a delivery fails after four attempts, and the failure is counted once', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 500 }));
  const { client, endpoint } = await createPaidMerchant(receiver);

  await receiver.waitFor(4);

  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.failureCount, 1);
  t.is(receiver.deliveries.length, 4);
  t.like((await client.webhookEndpoints.list()).webhooks[0], {
    successCount: 0,
    failureCount: 1,
    lastDeliveredAt: null,
  });
  t.deepEqual(
    (await attemptsOf(endpoint.id)).map(({ status }) => status),
    ['failed', 'failed', 'failed', 'failed'],
  );
});

test('a redirect is a failure and is never followed', async (t) => {
  const target = await receiverFor(t);
  const receiver = await receiverFor(t, () => ({ status: 302, headers: { location: target.url } }));
  await createPaidMerchant(receiver);

  await receiver.waitFor(4);

  t.is(target.deliveries.length, 0);
});

test('410 from the receiver ends the delivery at once and makes the endpoint inactive', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 410 }));
  const { client } = await createPaidMerchant(receiver);

  await receiver.waitFor(1);

  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.isActive, false);
  t.is(receiver.deliveries.length, 1);
});

test('a delivery is retried when the receiver drops the connection', async (t) => {
  const receiver = await receiverFor(t, (_delivery, index) => (index === 0 ? 'destroy' : { status: 204 }));
  const { endpoint } = await createPaidMerchant(receiver);

  await eventually(async () => (await attemptsOf(endpoint.id)).at(-1)?.status, 'delivered');

  t.like(await attemptsOf(endpoint.id), [
    { attempt: 1, status_code: null, error: 'connection_reset' },
    { attempt: 2, status_code: 204 },
  ]);
  t.is(receiver.deliveries.length, 2);
});

test('an answer with bytes that Postgres cannot store is recorded', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 200, body: Buffer.from('a\0b\xff', 'latin1') }));
  const { endpoint } = await createPaidMerchant(receiver);

  await eventually(async () => (await attemptsOf(endpoint.id)).length, 1);

  t.like(await attemptsOf(endpoint.id), [{ status_code: 200, status: 'delivered' }]);
});

test('a removed endpoint gets no deliveries', async (t) => {
  const receiver = await receiverFor(t);
  const slow = await server().createMerchant();
  const endpoint = await slow.client.webhookEndpoints.register({ url: receiver.url });
  await server().database.query('update webhook_endpoint set removed_at = now(), is_active = false where id = $1', [
    endpoint.id,
  ]);
  const { data } = await slow.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  t.is((await slow.client.payments.get(data.reference)).status, 'completed');
  t.is(receiver.deliveries.length, 0);
  t.deepEqual(await server().database.query('select * from delivery where endpoint_id = $1', [endpoint.id]), []);
});

test('pending deliveries of a removed endpoint are skipped with the reason endpoint_removed', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });

  await merchant.client.webhookEndpoints.remove(webhookId);
  await makeDeliveriesDue(server(), webhookId);

  await waitForDeliveries(merchant.client);
  t.like(await merchant.client.deliveries.get(id), {
    status: 'skipped',
    statusReason: 'endpoint_removed',
    attempts: [],
  });
  t.is(receiver.deliveries.length, 0);
});

test('after three declines the payment has failed, and one event is sent', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1999, currency: 'USD' });

  for (let attempt = 1; attempt <= 3; attempt++) await payByForm(data.checkoutUrl, '4000000000000002');

  const [delivery] = await receiver.waitFor(1);
  t.like(JSON.parse(String(delivery?.body)), {
    event: 'checkout.failed',
    data: {
      reference: data.reference,
      amount: 1999,
      currency: 'USD',
      status: 'failed',
      customerEmail: 'ada@example.com',
      failureCode: 'card_declined',
      failureMessage: 'The card was declined',
      cancelledBy: null,
    },
  });
  t.like(await client.payments.get(data.reference), { status: 'failed', attempts: 3, failureCode: 'card_declined' });
  t.is(receiver.deliveries.length, 1);
});

test('when a payment is submitted four times concurrently, it is paid once and has one event', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await Promise.all([1, 2, 3, 4].map(() => payByForm(data.checkoutUrl, '4242424242424242')));

  await receiver.waitFor(1);
  t.like(await client.payments.get(data.reference), { status: 'completed', attempts: 1 });
  t.deepEqual(
    await server().database.query('select count(*)::int as n from event where reference = $1', [data.reference]),
    [{ n: 1 }],
  );
});

test('if saving a completed payment fails, its event is not saved', async (t) => {
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'breaks-here' });
  await server().database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse before update on payment for each row
      when (new.status = 'completed' and new.reference = 'breaks-here') execute function refuse();`);

  const { status } = await payByForm(data.checkoutUrl, '4242424242424242');

  t.is(status, 500);
  t.is((await client.payments.get('breaks-here')).status, 'processing');
  t.deepEqual(await server().database.query(`select * from event where reference = 'breaks-here'`), []);
});

const withoutRetries = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '' });

/** `claims` has, for each delivery, the number of earlier claims without a recorded result. */
async function insertCrashed(t: ExecutionContext, { answer, claims }: { answer?: AnswerDelivery; claims: number[] }) {
  const receiver = await startReceiver({ answer: answer ?? (() => ({ status: 200 })) });
  t.teardown(() => receiver.stop());
  const merchant = await withoutRetries().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const ids = await insertDeliveries(withoutRetries(), merchant, {
    webhookId,
    count: claims.length,
    status: 'pending',
  });
  for (const [index, id] of ids.entries())
    await withoutRetries().database.query('update pending_delivery set claims = $2 where delivery_id = $1', [
      id,
      claims[index],
    ]);
  await makeDeliveriesDue(withoutRetries(), webhookId);
  return { receiver, client: merchant.client, ids };
}

test('deliveries that were claimed but never sent by processes that died are delivered once', async (t) => {
  const { receiver, client, ids } = await insertCrashed(t, { claims: Array(8).fill(maxClaims) });

  await waitForDeliveries(client);

  for (const id of ids) t.like(await client.deliveries.get(id), { status: 'delivered', attemptCount: 1 });
  t.is(receiver.deliveries.length, ids.length);
});

test('a poison delivery with three saved attempts is given up without another attempt', async (t) => {
  const { receiver, client, ids } = await insertCrashed(t, { claims: [maxClaims + 3, maxClaims + 2] });

  await waitForDeliveries(client);

  const [crashing = '', tried = ''] = ids;
  t.like(await client.deliveries.get(crashing), { status: 'failed', statusReason: 'worker_crashed', attempts: [] });
  t.like(await client.deliveries.get(tried), { status: 'delivered', attemptCount: 1 });
  t.is(receiver.deliveries.length, 1);
});

test('poison deliveries are sent one at a time, each after its attempt was saved, and do not delay other deliveries', async (t) => {
  const { receiver, ids } = await insertCrashed(t, { answer: () => 'hang', claims: [maxClaims, maxClaims] });
  await receiver.waitFor(1);
  const others = await insertCrashed(t, { claims: [0, 1] });

  await waitForDeliveries(others.client);

  const rows = await withoutRetries().database.query<{ claims: number }>(
    'select claims from pending_delivery where delivery_id = any($1) order by claims',
    [ids],
  );
  t.deepEqual(
    rows.map(({ claims }) => claims),
    [maxClaims, maxClaims + 1],
  );
  t.is(receiver.deliveries.length, 1);
});
