/** No worker runs in these tests, so deliveries outside the direct lane wait in the queue. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { createDirectLane } from '@tillhook/server/src/webhooks/dispatch/sending.ts';
import { publish, publishAll } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { startHangingReceiver } from '../support/receivers/holding-receiver.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { becomes, merchantWith, stateOf } from '../support/receivers/watched-deliveries.ts';
import { ownServerForFile, startOwnServer, type TestMerchant } from '../support/server/tillhook.ts';

const server = ownServerForFile({ ROLE: 'api', DELIVERY_DIRECT: 'on' });

function publicationFor(merchant: TestMerchant, reference = 'order-1') {
  return {
    merchantId: merchant.id,
    mode: 'test' as const,
    name: 'test.event' as const,
    reference,
    data: { reference } as never,
    occurredAt: new Date(),
    traceparent: null,
  };
}

test('a process without a dispatcher delivers its event once, without a worker', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await merchantWith(server(), receiver.url);

  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered']);
  t.is(receiver.deliveries.length, 1);
  const { deliveries } = await merchant.client.deliveries.list();
  t.like(deliveries[0], { status: 'delivered', attemptCount: 1 });
});

test('with DELIVERY_DIRECT=off the event waits for a worker', async (t) => {
  const receiver = await receiverFor(t);
  const off = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const merchant = await merchantWith(off, receiver.url);

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(off, merchant), ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('an event is not sent directly, but waits for a claim, while another delivery waits for the same endpoint', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  await inTransaction(withFreshEntityManager(context), (tx) =>
    publishAll(tx, [publicationFor(merchant, 'order-1'), publicationFor(merchant, 'order-2')]),
  );
  t.deepEqual(
    await stateOf(server(), merchant),
    ['pending free', 'pending free'],
    'several events of one statement are left to a claim',
  );

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(server(), merchant), ['pending free', 'pending free', 'pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('an event is left to the workers while its endpoint has the maximum number of deliveries in flight', async (t) => {
  const receiver = await startHangingReceiver(t);
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_ENDPOINT_CONCURRENCY: '1' });
  const merchant = await merchantWith(own, receiver.url);
  await payOnce(merchant.client);
  await eventually(() => receiver.held, 1);

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(own, merchant), ['pending leased', 'pending free']);
  receiver.answerAll();
  await becomes(own, merchant, ['delivered', 'pending free']);
});

test('events are left to the workers while a quarter of the in-flight slots is in use', async (t) => {
  const [receiver, healthy] = [await startHangingReceiver(t), await receiverFor(t)];
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_CONCURRENCY: '4' });
  const [slow, other] = [await merchantWith(own, receiver.url), await merchantWith(own, healthy.url)];
  await payOnce(slow.client);
  await eventually(() => receiver.held, 1);

  await payOnce(other.client);

  t.deepEqual(await stateOf(own, other), ['pending free']);
  receiver.answerAll();
  await becomes(own, slow, ['delivered']);
  await payOnce(other.client);
  t.is(healthy.deliveries.length, 0, 'when slots are free again, a new delivery does not overtake a waiting delivery');
});

test('an event is not sent if its transaction is rolled back', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();

  await t.throwsAsync(
    inTransaction(withFreshEntityManager(context), async (tx) => {
      await publish(tx, publicationFor(merchant));
      throw new Error('The transaction is rolled back on purpose');
    }),
    { message: 'The transaction is rolled back on purpose' },
  );
  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered']);
  t.is(receiver.deliveries.length, 1, 'the receiver got only the event of the payment');
});

test('an endpoint that is paused before an event gets a skipped delivery; an endpoint that is paused between the event and the commit gets the event', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  const pause = (isActive: boolean) => merchant.client.webhookEndpoints.update(merchant.endpoint.id, { isActive });

  await inTransaction(withFreshEntityManager(context), async (tx) => {
    await publish(tx, publicationFor(merchant));
    await pause(false);
  });
  await becomes(server(), merchant, ['delivered']);
  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered', 'skipped']);
  t.is(receiver.deliveries.length, 1);
});

test('if too little of the lease is left at the commit, the delivery is handed back to the queue', async (t) => {
  const receiver = await receiverFor(t);
  const own = await startOwnServer(t, {
    ROLE: 'api',
    DELIVERY_DIRECT: 'on',
    DELIVERY_CONNECT_TIMEOUT_MS: '100',
    DELIVERY_TIMEOUT_MS: '200',
  });
  const merchant = await merchantWith(own, receiver.url);

  await inTransaction(withFreshEntityManager(own.context), async (tx) => {
    await publish(tx, publicationFor(merchant));
    await own.database.query('select pg_sleep(0.3)');
  });

  await becomes(own, merchant, ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('a delivery that is committed while its process stops is handed back to the queue, and a worker is woken', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  let rings = 0;
  const lane = createDirectLane(context, { ring: () => (rings += 1) });

  await inTransaction({ ...withFreshEntityManager(context), direct: lane }, async (tx) => {
    await publish(tx, publicationFor(merchant));
    await lane.stop(1000);
  });

  await eventually(() => rings, 1);
  t.deepEqual(await stateOf(server(), merchant), ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('a process that stops waits for the attempt in flight and records its result', async (t) => {
  const receiver = await startHangingReceiver(t);
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', SHUTDOWN_GRACE_MS: '10000' });
  const merchant = await merchantWith(own, receiver.url);
  await payOnce(merchant.client);
  await eventually(() => receiver.held, 1);

  const stopping = own.stop();
  receiver.answerAll();
  await stopping;

  t.deepEqual(await stateOf(own, merchant), ['delivered']);
});
