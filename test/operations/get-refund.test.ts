import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverForFile } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverForFile({ ROLE: 'api' });

test('200 returns the refund as it was created', async (t) => {
  const { client } = await paidMerchant(server());
  const created = await client.refunds.create('order-1042', { amount: 300, metadata: { ticket: '7' } });

  t.deepEqual(await client.refunds.get(created.reference), created);
});

test('404 when the refund does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const owner = await paidMerchant(server());
  await owner.client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
  const stranger = await server().createMerchant();

  for (const client of [stranger.client, owner.liveClient]) {
    const error = await t.throwsAsync(client.refunds.get('refund-1'), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }
});
