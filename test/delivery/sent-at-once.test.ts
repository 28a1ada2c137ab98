/**
 * Deliveries that a process leases in the publishing statement and sends right after the commit. No worker runs here,
 * so what is not sent this way waits in the queue.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReceiver } from '@tillhook/mock/receiver';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { inOwnStatement } from '@tillhook/server/src/database/statement.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { createDirectLane } from '@tillhook/server/src/delivery/dispatch/direct-lane.ts';
import { createDispatcher } from '@tillhook/server/src/delivery/dispatch/dispatcher.ts';
import { listenForBell } from '@tillhook/server/src/delivery/queue/bell.ts';
import { claimByIds } from '@tillhook/server/src/delivery/queue/claim-by-ids.ts';
import type { DueDelivery } from '@tillhook/server/src/delivery/queue/notification.ts';
import { publish, publishAll } from '@tillhook/server/src/delivery/queue/publish.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { figuresOf } from '../support/server/figures.ts';
import { type OwnServer, serverForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api', DELIVERY_DIRECT: 'on' });

/** The state of a merchant's deliveries, in the order in which they were made. `free` waits for a claim. */
async function stateOf({ database }: OwnServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await database.query<{ state: string }>(
    `select status || case when owed_delivery.delivery_id is null then '' when owed_delivery.lease is null then ' free' else ' leased' end as state
     from delivery left join owed_delivery on owed_delivery.delivery_id = delivery.id
     where merchant_id = $1 order by delivery.id`,
    [id],
  );
  return rows.map(({ state }) => state);
}

async function merchantWith(on: OwnServer, url: string) {
  const merchant = await on.createMerchant();
  const endpoint = await merchant.client.webhookEndpoints.register({ url });
  return { ...merchant, endpoint };
}

async function answering(t: ExecutionContext) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  return receiver;
}

/** A receiver that answers when the test says so. */
async function hanging(t: ExecutionContext) {
  const open: ServerResponse[] = [];
  const receiver = createServer((_request, response) => void open.push(response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const release = () => {
    for (const response of open.splice(0)) response.end();
  };
  t.teardown(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, open, release };
}

const becomes = (on: OwnServer, merchant: TestMerchant, expected: string[]) =>
  eventually(() => stateOf(on, merchant), expected);

function happening(merchant: TestMerchant, reference = 'order-1') {
  return {
    merchantId: merchant.id,
    mode: 'test' as const,
    name: 'test.event' as const,
    reference,
    data: { reference } as never,
    occurredAt: new Date(),
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
  const off = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
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
  const own = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_ENDPOINT_CONCURRENCY: '1' });
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
  const own = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', DELIVERY_CONCURRENCY: '4' });
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
  const own = await startServer(t, {
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
  const own = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'on', SHUTDOWN_GRACE_MS: '10000' });
  const merchant = await merchantWith(own, receiver.url);
  await payOnce(merchant.client);
  await eventually(() => receiver.open.length, 1);

  const stopping = own.stop();
  receiver.release();
  await stopping;

  t.deepEqual(await stateOf(own, merchant), ['delivered']);
});

/** The due deliveries of a merchant, as a notification names them. */
async function dueOf({ database }: OwnServer, { id }: TestMerchant): Promise<DueDelivery[]> {
  return database.query<{ id: string; endpointId: string }>(
    `select delivery_id as id, owed_delivery.endpoint_id as "endpointId"
     from owed_delivery join delivery on delivery.id = delivery_id where merchant_id = $1 order by delivery_id`,
    [id],
  );
}

/** A dispatcher whose first claim has ended. */
async function startDispatcher(t: ExecutionContext, on: OwnServer) {
  const dispatcher = createDispatcher(on.context, { ring() {} });
  t.teardown(() => dispatcher.stop(1000));
  const claims = async () => (await figuresOf(on)).get('tillhook_claim_duration_seconds_count') ?? 0;
  await eventually(claims, (count) => count > 0);
  return dispatcher;
}

test('a dispatcher that is woken for a delivery claims no other, unless its endpoint is busy', async (t) => {
  const own = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off', DELIVERY_ENDPOINT_CONCURRENCY: '1' });
  const [receiver, slow] = [await answering(t), await hanging(t)];
  const [named, other] = [await merchantWith(own, receiver.url), await merchantWith(own, slow.url)];
  const dispatcher = await startDispatcher(t, own);
  await payOnce(other.client);
  await payOnce(named.client);

  dispatcher.ringFor(await dueOf(own, named));

  await becomes(own, named, ['delivered']);
  t.deepEqual(await stateOf(own, other), ['pending free']);
  dispatcher.ringFor(await dueOf(own, other));
  await eventually(() => slow.open.length, 1);
  await payOnce(other.client);
  await payOnce(named.client);
  dispatcher.ringFor((await dueOf(own, other)).slice(1));
  await becomes(own, named, ['delivered', 'delivered']);
  t.deepEqual(
    await stateOf(own, other),
    ['pending leased', 'pending leased'],
    'a usual claim, which takes what it finds',
  );
});

test('a dispatcher that is woken for a delivery of a paused endpoint, or one that another process holds, sends nothing', async (t) => {
  const own = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const receiver = await answering(t);
  const [held, paused] = [await merchantWith(own, receiver.url), await merchantWith(own, receiver.url)];
  await payOnce(held.client);
  await payOnce(paused.client);
  const due = [...(await dueOf(own, held)), ...(await dueOf(own, paused))];
  await paused.client.webhookEndpoints.update(paused.endpoint.id, { isActive: false });
  await own.database.query(
    `update owed_delivery set lease = gen_random_uuid(), held_until = now() + interval '1 minute' where endpoint_id = $1`,
    [held.endpoint.id],
  );

  const claimed = await inOwnStatement(own.context, (statement) =>
    claimByIds(
      statement,
      due.map(({ id }) => id),
    ),
  );

  t.deepEqual(claimed, []);
  t.deepEqual(await stateOf(own, paused), ['pending free'], 'the next usual claim ends it');
});

test('with DELIVERY_DIRECT=off the notification names the delivery, and a worker claims it by its id', async (t) => {
  const off = await startServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const receiver = await answering(t);
  const merchant = await merchantWith(off, receiver.url);
  const dispatcher = await startDispatcher(t, off);
  const heard: (readonly DueDelivery[])[] = [];
  let wakeUps = 0;
  const listener = listenForBell(
    {
      ring: () => (wakeUps += 1),
      ringFor(due) {
        heard.push(due);
        dispatcher.ringFor(due);
      },
    },
    { database: reachDatabase(off.database.url), log: off.context.log },
  );
  t.teardown(() => listener.stop());
  await eventually(() => wakeUps, 1);

  await payOnce(merchant.client);

  await becomes(off, merchant, ['delivered']);
  t.deepEqual(
    heard.map((due) => due.map(({ endpointId }) => endpointId)),
    [[merchant.endpoint.id]],
  );
  t.is(wakeUps, 1, 'only the one with which a listener begins');
});
