/**
 * Deliveries that a process leases in the publishing statement and sends right after the commit. No worker runs here,
 * so what is not sent this way waits in the queue.
 */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { createDirectLane } from '@tillhook/server/src/webhooks/dispatch/sending.ts';
import { publish, publishAll } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { answering, becomes, hanging, merchantWith, stateOf } from '../support/receivers/watched-deliveries.ts';
import { ownServerForFile, startOwnServer, type TestMerchant } from '../support/server/tillhook.ts';

const server = ownServerForFile({ ROLE: 'api', DELIVERY_DIRECT: 'on' });

function happening(merchant: TestMerchant, reference = 'order-1') {
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

test('an event of a process without a dispatcher is delivered once, without a worker', async (t) => {
  const receiver = await answering(t);
  const merchant = await merchantWith(server(), receiver.url);

  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered']);
  t.is(receiver.deliveries.length, 1);
  const { deliveries } = await merchant.client.deliveries.list();
  t.like(deliveries[0], { status: 'delivered', attemptCount: 1 });
});

test('with DELIVERY_DIRECT=off the event waits for a worker', async (t) => {
  const receiver = await answering(t);
  const off = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const merchant = await merchantWith(off, receiver.url);

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(off, merchant), ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('an event stays behind one that waits for the same endpoint', async (t) => {
  const receiver = await answering(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  await inTransaction(withFreshEntityManager(context), (tx) =>
    publishAll(tx, [happening(merchant, 'order-1'), happening(merchant, 'order-2')]),
  );
  t.deepEqual(
    await stateOf(server(), merchant),
    ['pending free', 'pending free'],
    'several at once are left to a claim',
  );

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(server(), merchant), ['pending free', 'pending free', 'pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('an event is left to the workers while its endpoint has as many in flight as it may have', async (t) => {
  const receiver = await hanging(t);
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_ENDPOINT_CONCURRENCY: '1' });
  const merchant = await merchantWith(own, receiver.url);
  await payOnce(merchant.client);
  await eventually(() => receiver.open.length, 1);

  await payOnce(merchant.client);

  t.deepEqual(await stateOf(own, merchant), ['pending leased', 'pending free']);
  receiver.release();
  await becomes(own, merchant, ['delivered', 'pending free']);
});

test('events are left to the workers while a quarter of the places is in use', async (t) => {
  const [receiver, healthy] = [await hanging(t), await answering(t)];
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_CONCURRENCY: '4' });
  const [slow, other] = [await merchantWith(own, receiver.url), await merchantWith(own, healthy.url)];
  await payOnce(slow.client);
  await eventually(() => receiver.open.length, 1);

  await payOnce(other.client);

  t.deepEqual(await stateOf(own, other), ['pending free']);
  receiver.release();
  await becomes(own, slow, ['delivered']);
  await payOnce(other.client);
  t.is(healthy.deliveries.length, 0, 'and what waits is not overtaken when there is room again');
});

test('an event of a transaction that is rolled back is not sent', async (t) => {
  const receiver = await answering(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();

  await t.throwsAsync(
    inTransaction(withFreshEntityManager(context), async (tx) => {
      await publish(tx, happening(merchant));
      throw new Error('Changed its mind');
    }),
    { message: 'Changed its mind' },
  );
  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered']);
  t.is(receiver.deliveries.length, 1, 'only the event of the payment');
});

test('an endpoint that is paused before the event gets a skipped delivery, and one paused before the commit still gets the event', async (t) => {
  const receiver = await answering(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  const pause = (isActive: boolean) => merchant.client.webhookEndpoints.update(merchant.endpoint.id, { isActive });

  await inTransaction(withFreshEntityManager(context), async (tx) => {
    await publish(tx, happening(merchant));
    await pause(false);
  });
  await becomes(server(), merchant, ['delivered']);
  await payOnce(merchant.client);

  await becomes(server(), merchant, ['delivered', 'skipped']);
  t.is(receiver.deliveries.length, 1);
});

test('a transaction that commits after a part of its lease hands the delivery back', async (t) => {
  const receiver = await answering(t);
  const own = await startOwnServer(t, {
    ROLE: 'api',
    DELIVERY_DIRECT: 'on',
    DELIVERY_CONNECT_TIMEOUT_MS: '100',
    DELIVERY_TIMEOUT_MS: '200',
  });
  const merchant = await merchantWith(own, receiver.url);

  // The lease is 400 ms, and the attempt may take 200 ms of it.
  await inTransaction(withFreshEntityManager(own.context), async (tx) => {
    await publish(tx, happening(merchant));
    await own.database.query('select pg_sleep(0.3)');
  });

  await becomes(own, merchant, ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('what a transaction commits while its process stops is handed back, and a worker is woken', async (t) => {
  const receiver = await answering(t);
  const merchant = await merchantWith(server(), receiver.url);
  const { context } = server();
  let rings = 0;
  const lane = createDirectLane(context, { ring: () => (rings += 1) });

  await inTransaction({ ...withFreshEntityManager(context), direct: lane }, async (tx) => {
    await publish(tx, happening(merchant));
    await lane.stop(1000);
  });

  await eventually(() => rings, 1);
  t.deepEqual(await stateOf(server(), merchant), ['pending free']);
  t.is(receiver.deliveries.length, 0);
});

test('a process that stops waits for the attempt in flight and records it', async (t) => {
  const receiver = await hanging(t);
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', SHUTDOWN_GRACE_MS: '10000' });
  const merchant = await merchantWith(own, receiver.url);
  await payOnce(merchant.client);
  await eventually(() => receiver.open.length, 1);

  const stopping = own.stop();
  receiver.release();
  await stopping;

  t.deepEqual(await stateOf(own, merchant), ['delivered']);
});
