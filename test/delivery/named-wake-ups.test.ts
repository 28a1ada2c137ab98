import type { DueDelivery } from '@tillhook/server/src/context.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { createDispatcher } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import { listenForBell } from '@tillhook/server/src/webhooks/queue/bell.ts';
import { claimByIds } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { startHangingReceiver } from '../support/receivers/holding-receiver.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { becomes, merchantWith, stateOf } from '../support/receivers/watched-deliveries.ts';
import { figuresOf } from '../support/server/figures.ts';
import { type ServerWithContext, startOwnServer, type TestMerchant } from '../support/server/tillhook.ts';

async function dueOf({ database }: ServerWithContext, { id }: TestMerchant): Promise<DueDelivery[]> {
  return database.query<{ id: string; endpointId: string }>(
    `select delivery_id as id, pending_delivery.endpoint_id as "endpointId"
     from pending_delivery join delivery on delivery.id = delivery_id where merchant_id = $1 order by delivery_id`,
    [id],
  );
}

async function startDispatcher(t: ExecutionContext, on: ServerWithContext) {
  const dispatcher = createDispatcher(on.context, { ring() {} });
  t.teardown(() => dispatcher.stop(1000));
  const claims = async () => (await figuresOf(on)).get('tillhook_claim_duration_seconds_count') ?? 0;
  await eventually(claims, (count) => count > 0);
  return dispatcher;
}

test('a dispatcher that is woken for one delivery claims only this delivery; if its endpoint is busy, the dispatcher claims any due deliveries', async (t) => {
  const own = await startOwnServer(t, {
    ROLE: 'api',
    DELIVERY_DIRECT: 'off',
    DELIVERY_ENDPOINT_CONCURRENCY: '1',
  });
  const [receiver, slow] = [await receiverFor(t), await startHangingReceiver(t)];
  const [named, other] = [await merchantWith(own, receiver.url), await merchantWith(own, slow.url)];
  const dispatcher = await startDispatcher(t, own);
  await payOnce(other.client);
  await payOnce(named.client);

  dispatcher.ringFor(await dueOf(own, named));

  await becomes(own, named, ['delivered']);
  t.deepEqual(await stateOf(own, other), ['pending free']);
  dispatcher.ringFor(await dueOf(own, other));
  await eventually(() => slow.held, 1);
  await payOnce(other.client);
  await payOnce(named.client);
  dispatcher.ringFor((await dueOf(own, other)).slice(1));
  await becomes(own, named, ['delivered', 'delivered']);
  t.deepEqual(
    await stateOf(own, other),
    ['pending leased', 'pending leased'],
    'because the endpoint is busy, the dispatcher claims any due deliveries',
  );
});

test('a claim by id takes no delivery of a paused endpoint, and no delivery that another process holds', async (t) => {
  const own = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const receiver = await receiverFor(t);
  const [held, paused] = [await merchantWith(own, receiver.url), await merchantWith(own, receiver.url)];
  await payOnce(held.client);
  await payOnce(paused.client);
  const due = [...(await dueOf(own, held)), ...(await dueOf(own, paused))];
  await paused.client.webhookEndpoints.update(paused.endpoint.id, { isActive: false });
  await own.database.query(
    `update pending_delivery set lease = gen_random_uuid(), held_until = now() + interval '1 minute' where endpoint_id = $1`,
    [held.endpoint.id],
  );

  const claimed = await inOwnStatement(own.context, (statement) =>
    claimByIds(
      statement,
      due.map(({ id }) => id),
    ),
  );

  t.deepEqual(claimed, []);
  t.deepEqual(await stateOf(own, paused), ['pending free'], 'only the next usual claim ends the delivery');
});

test('with DELIVERY_DIRECT=off the notification contains the id of the delivery, and a worker claims it by id', async (t) => {
  const off = await startOwnServer(t, { ROLE: 'api', DELIVERY_DIRECT: 'off' });
  const receiver = await receiverFor(t);
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
  t.is(wakeUps, 1, 'a listener wakes the dispatcher once when it starts');
});
