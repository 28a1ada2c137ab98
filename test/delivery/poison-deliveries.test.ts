import type { AnswerDelivery } from '@tillhook/mock/receiver';
import { maxClaims } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { insertDeliveries, makeDeliveriesDue, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '' });

/** `claims` has, for each delivery, the number of earlier claims without a recorded result. */
async function insertCrashed(t: ExecutionContext, { answer, claims }: { answer?: AnswerDelivery; claims: number[] }) {
  const receiver = await receiverFor(t, answer);
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const ids = await insertDeliveries(server(), merchant, {
    webhookId,
    count: claims.length,
    status: 'pending',
  });
  for (const [index, id] of ids.entries())
    await server().database.query('update pending_delivery set claims = $2 where delivery_id = $1', [
      id,
      claims[index],
    ]);
  await makeDeliveriesDue(server(), webhookId);
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

  const rows = await server().database.query<{ claims: number }>(
    'select claims from pending_delivery where delivery_id = any($1) order by claims',
    [ids],
  );
  t.deepEqual(
    rows.map(({ claims }) => claims),
    [maxClaims, maxClaims + 1],
  );
  t.is(receiver.deliveries.length, 1);
});
