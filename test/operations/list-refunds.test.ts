import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that refunds stay pending. */
const server = serverWithoutWorker();

/** Creates a merchant with two payments, and refunds of both. */
async function merchantWithRefunds() {
  const merchant = await paidMerchant(server(), 1000);
  const { client } = merchant;
  await client.checkout.create({ email: 'grace@example.com', amount: 500, reference: 'order-1043' });
  await client.testHelpers.completePayment('order-1043');
  await client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
  await client.refunds.create('order-1043', { amount: 200, reference: 'refund-2' });
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-3' });
  return merchant;
}

const referencesOf = ({ refunds }: { refunds: { reference: string }[] }) => refunds.map(({ reference }) => reference);

test('200 lists the refunds, newest first, in pages', async (t) => {
  const { client } = await merchantWithRefunds();

  const first = await client.refunds.list({ limit: 2 });
  const second = await client.refunds.list({ limit: 2, offset: 2 });

  t.deepEqual([first.total, second.total], [3, 3]);
  t.deepEqual(referencesOf(first), ['refund-3', 'refund-2']);
  t.deepEqual(referencesOf(second), ['refund-1']);
});

test('200 lists the refunds of one payment only', async (t) => {
  const { client } = await merchantWithRefunds();

  const page = await client.refunds.list({ paymentReference: 'order-1042' });

  t.deepEqual(referencesOf(page), ['refund-3', 'refund-1']);
  t.is(page.total, 2);
});

test('200 lists only the refund with this reference, which another merchant may have too', async (t) => {
  const [{ client }] = await Promise.all([merchantWithRefunds(), merchantWithRefunds()]);

  t.deepEqual(referencesOf(await client.refunds.list({ reference: 'refund-2' })), ['refund-2']);
  t.deepEqual(await client.refunds.list({ reference: 'refund-4' }), { refunds: [], total: 0 });
  const both = { reference: 'refund-2', paymentReference: 'order-1042' };
  t.deepEqual(referencesOf(await client.refunds.list(both)), []);
});

test('200 lists only the refunds with this status, or with one of several', async (t) => {
  const merchant = await merchantWithRefunds();
  await server().database.query(
    `update refund set status = 'processing' where reference = 'refund-2' and merchant_id = $1`,
    [merchant.id],
  );

  t.deepEqual(referencesOf(await merchant.client.refunds.list({ status: 'processing' })), ['refund-2']);
  t.deepEqual(referencesOf(await merchant.client.refunds.list({ status: 'failed' })), []);
  const both = await merchant.client.refunds.list({ status: ['processing', 'pending'] });
  t.deepEqual(referencesOf(both), ['refund-3', 'refund-2', 'refund-1']);
});

test('200 lists the refunds of a time only', async (t) => {
  const { client } = await merchantWithRefunds();
  const { createdAt } = await client.refunds.get('refund-2');

  t.is((await client.refunds.list({ from: '2999-01-01T00:00:00.000Z' })).total, 0);
  t.true(referencesOf(await client.refunds.list({ from: createdAt })).includes('refund-2'));
  t.false(referencesOf(await client.refunds.list({ to: createdAt })).includes('refund-2'));
});

test('200 lists nothing of another merchant or of the other mode', async (t) => {
  const merchant = await merchantWithRefunds();
  const stranger = await server().createMerchant();

  t.deepEqual(await stranger.client.refunds.list(), { refunds: [], total: 0 });
  t.deepEqual(await merchant.liveClient.refunds.list(), { refunds: [], total: 0 });
});

test('400 when the status does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const attempt = client.refunds.list({ status: 'refunded' as 'failed' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'status');
});
