import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverWithoutWorker();

test('200 returns the refund as it was created, and no other one', async (t) => {
  const { client } = await paidMerchant(server());
  const details = { amount: 300, reference: 'refund-1', reason: 'Late', metadata: { ticket: '7' } };
  const created = await client.refunds.create('order-1042', details);
  await client.refunds.create('order-1042', { amount: 200, reference: 'refund-2' });

  t.deepEqual(await client.refunds.get('refund-1'), created);
  t.like(created, { ...details, paymentReference: 'order-1042', status: 'pending', origin: 'api', mode: 'test' });
  t.is((await client.refunds.get('refund-2')).amount, 200);
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
