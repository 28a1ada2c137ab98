/** Deliveries that were claimed several times by processes that died, and never recorded. */
import { type AnswerDelivery, startReceiver } from '@tillhook/mock/receiver';
import { mostClaims } from '@tillhook/server/src/delivery/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { insertDeliveries, makeDeliveriesDue, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '' });

/** Creates due deliveries that processes had claimed this number of times before they died. */
async function insertCrashed(t: ExecutionContext, { answer, claims }: { answer?: AnswerDelivery; claims: number[] }) {
  const receiver = await startReceiver({ answer: answer ?? (() => ({ status: 200 })) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const ids = await insertDeliveries(server(), merchant, { webhookId, count: claims.length, status: 'pending' });
  for (const [index, id] of ids.entries())
    await server().database.query('update owed_delivery set claims = $2 where delivery_id = $1', [id, claims[index]]);
  await makeDeliveriesDue(server(), webhookId);
  return { receiver, client: merchant.client, ids };
}

test('a delivery that was only waiting in processes that died is delivered once', async (t) => {
  const { receiver, client, ids } = await insertCrashed(t, { claims: Array(8).fill(mostClaims) });

  await waitForDeliveries(client);

  for (const id of ids) t.like(await client.deliveries.get(id), { status: 'delivered', attemptCount: 1 });
  t.is(receiver.deliveries.length, ids.length);
});

test('a delivery that crashed its process three times is given up without another attempt', async (t) => {
  const { receiver, client, ids } = await insertCrashed(t, { claims: [mostClaims + 3, mostClaims + 2] });

  await waitForDeliveries(client);

  const [guilty = '', tried = ''] = ids;
  t.like(await client.deliveries.get(guilty), { status: 'failed', statusReason: 'worker_crashed', attempts: [] });
  t.like(await client.deliveries.get(tried), { status: 'delivered', attemptCount: 1 });
  t.is(receiver.deliveries.length, 1);
});

test('crash suspects are sent one at a time, each after its attempt was saved, and do not delay other deliveries', async (t) => {
  const { receiver, ids } = await insertCrashed(t, { answer: () => 'hang', claims: [mostClaims, mostClaims] });
  await receiver.waitFor(1);
  const others = await insertCrashed(t, { claims: [0, 1] });

  await waitForDeliveries(others.client);

  const rows = await server().database.query<{ claims: number }>(
    'select claims from owed_delivery where delivery_id = any($1) order by claims',
    [ids],
  );
  t.deepEqual(
    rows.map(({ claims }) => claims),
    [mostClaims, mostClaims + 1],
  );
  t.is(receiver.deliveries.length, 1);
});
