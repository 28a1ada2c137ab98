import {
  ConflictError,
  NotFoundError,
  ProcessorError,
  RefundError,
  TransferError,
  ValidationError,
} from '@tillhook/sdk';
import test from 'ava';
import { startCheckout } from '../support/money/payments.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { balancesOf } from '../support/money/transfers.ts';
import { serverForFile, serverWithoutWorker, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const order = 'order-1042';

const moneyOf = async ({ client }: TestMerchant) => {
  const { wallets } = await client.wallets.list();
  return { refunds: (await client.refunds.list()).total, wallet: wallets[0], ...(await refundedOf(client)) };
};

const refundedOf = async (client: TestMerchant['client']) => {
  const { status, amountRefunded } = await client.payments.get(order);
  return { status, amountRefunded };
};

test('createRefund 201 returns a pending refund whose amount is reserved', async (t) => {
  const merchant = await paidMerchant(server(), 1000);

  const refund = await merchant.client.refunds.create(order, {
    amount: 300,
    reference: 'refund-1',
    reason: 'One ticket was returned',
    metadata: { ticket: '7' },
  });

  t.like(refund, {
    reference: 'refund-1',
    paymentReference: order,
    amount: 300,
    currency: 'NGN',
    status: 'pending',
    reason: 'One ticket was returned',
    failureCode: null,
    failureReason: null,
    origin: 'api',
    metadata: { ticket: '7' },
    mode: 'test',
    completedAt: null,
  });
  t.like(await moneyOf(merchant), { status: 'completed', amountRefunded: 300 });
  const { wallets } = await merchant.client.wallets.list();
  t.is(wallets[0]?.available, 700);
});

test('createRefund 201 without a body refunds the remaining amount of the payment, and generates the reference', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300 });

  const refund = await merchant.client.refunds.create(order);

  t.is(refund.amount, 700);
  t.regex(refund.reference, /^ref_[a-z0-9]{20}$/);
  t.deepEqual([refund.reason, refund.metadata], [null, {}]);
  t.like(await moneyOf(merchant), { refunds: 2, amountRefunded: 1000 });
});

test('createRefund 201 creates one refund for two calls with one Idempotency-Key, and each call gets the same answer', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const options = { idempotencyKey: 'refund-once' };

  const first = await merchant.client.refunds.create(order, { amount: 300 }, options);
  const second = await merchant.client.refunds.create(order, { amount: 300 }, options);

  t.deepEqual(second, first);
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

const wrongAmounts = [0, -1, 1.5, 1_000_000_000_000, 2 ** 53];

for (const amount of wrongAmounts) {
  test(`createRefund 400 when the amount is ${amount}`, async (t) => {
    const merchant = await paidMerchant(server(), 1000);

    const attempt = merchant.client.refunds.create(order, { amount });

    t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'amount');
    t.like(await moneyOf(merchant), { refunds: 0, amountRefunded: 0 });
  });
}

test('createRefund 400 when the reason is longer than 200 characters', async (t) => {
  const { client } = await paidMerchant(server());

  const attempt = client.refunds.create(order, { reason: 'x'.repeat(201) });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'reason');
});

test('createRefund 404 when the payment does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const owner = await paidMerchant(server(), 1000);
  const stranger = await server().createMerchant();

  for (const client of [stranger.client, owner.liveClient]) {
    const error = await t.throwsAsync(client.refunds.create(order, { amount: 1 }), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }

  t.like(await moneyOf(owner), { refunds: 0, amountRefunded: 0 });
});

test('createRefund 409 when the payment is pending, failed or expired', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  for (const reference of ['order-pending', 'order-failed', 'order-expired']) await startCheckout(merchant, reference);
  await client.testHelpers.failPayment('order-failed');
  await client.payments.cancel('order-expired');

  for (const status of ['pending', 'failed', 'expired']) {
    const attempt = client.refunds.create(`order-${status}`);
    const error = await t.throwsAsync(attempt, { instanceOf: ConflictError });
    t.is(error?.code, 'payment_not_completed');
    t.regex(error?.message ?? '', new RegExp(status));
  }

  t.is((await client.refunds.list()).total, 0);
});

test('createRefund 409 when an earlier refund has the same reference', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300, reference: 'refund-1' });

  const attempt = merchant.client.refunds.create(order, { amount: 300, reference: 'refund-1' });

  t.like(await t.throwsAsync(attempt, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

test('createRefund 422 when the amount is one more than the remaining amount of the payment', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300 });

  const attempt = merchant.client.refunds.create(order, { amount: 701 });

  const error = await t.throwsAsync(attempt, { instanceOf: RefundError });
  t.like(error, { code: 'refund_exceeds_payment', param: 'amount' });
  t.regex(error?.message ?? '', /\b700\b/);
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

for (const body of [undefined, { amount: 1 }]) {
  test(`createRefund 422 when the payment is already fully refunded, ${body ? 'with an amount' : 'without an amount'}`, async (t) => {
    const merchant = await paidMerchant(server(), 1000);
    await merchant.client.refunds.create(order);

    const attempt = merchant.client.refunds.create(order, body);

    t.is((await t.throwsAsync(attempt, { instanceOf: RefundError }))?.code, 'refund_exceeds_payment');
    t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 1000 });
  });
}

test('createRefund 422 when the Collection wallet holds too little, and nothing is written', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.wallets.topUp({ amount: 701 });

  const attempt = merchant.client.refunds.create(order, { amount: 300 });

  t.is((await t.throwsAsync(attempt, { instanceOf: TransferError }))?.code, 'insufficient_funds');
  t.like(await moneyOf(merchant), { refunds: 0, amountRefunded: 0 });
  t.deepEqual(await balancesOf(server(), merchant), { collection: 299, transfer: 701, processor_clearing: -1000 });
});

test('createRefund 503 in live mode without a processor', async (t) => {
  const merchant = await server().createMerchant();
  await server().database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, created_at, updated_at, completed_at)
     values (gen_random_uuid(), $1, 'live', $2, gen_random_uuid(), 1000, 'NGN', 'completed', 'ada@example.com', '{}', 1,
       now(), now(), now(), now())`,
    [merchant.id, order],
  );

  const attempt = merchant.liveClient.refunds.create(order);

  t.is((await t.throwsAsync(attempt, { instanceOf: ProcessorError }))?.code, 'processor_not_configured');
  t.is((await merchant.liveClient.refunds.list()).total, 0);
});

/** A server that runs no jobs, so that refunds stay pending. */
const withoutWorker = serverWithoutWorker();

test('getRefund 200 returns the refund as it was created, and no other refund', async (t) => {
  const { client } = await paidMerchant(withoutWorker());
  const details = { amount: 300, reference: 'refund-1', reason: 'Late', metadata: { ticket: '7' } };
  const created = await client.refunds.create('order-1042', details);
  await client.refunds.create('order-1042', { amount: 200, reference: 'refund-2' });

  t.deepEqual(await client.refunds.get('refund-1'), created);
  t.like(created, { ...details, paymentReference: 'order-1042', status: 'pending', origin: 'api', mode: 'test' });
  t.is((await client.refunds.get('refund-2')).amount, 200);
});

test('getRefund 404 when the refund does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const owner = await paidMerchant(withoutWorker());
  await owner.client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
  const stranger = await withoutWorker().createMerchant();

  for (const client of [stranger.client, owner.liveClient]) {
    const error = await t.throwsAsync(client.refunds.get('refund-1'), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }
});

async function merchantWithRefunds() {
  const merchant = await paidMerchant(withoutWorker(), 1000);
  const { client } = merchant;
  await client.checkout.create({ email: 'grace@example.com', amount: 500, reference: 'order-1043' });
  await client.testHelpers.completePayment('order-1043');
  await client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
  await client.refunds.create('order-1043', { amount: 200, reference: 'refund-2' });
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-3' });
  return merchant;
}

const referencesOf = ({ refunds }: { refunds: { reference: string }[] }) => refunds.map(({ reference }) => reference);

test('listRefunds 200 lists the refunds, newest first, in pages', async (t) => {
  const { client } = await merchantWithRefunds();

  const first = await client.refunds.list({ limit: 2 });
  const second = await client.refunds.list({ limit: 2, offset: 2 });

  t.deepEqual([first.total, second.total], [3, 3]);
  t.deepEqual(referencesOf(first), ['refund-3', 'refund-2']);
  t.deepEqual(referencesOf(second), ['refund-1']);
});

test('listRefunds 200 lists the refunds of one payment only', async (t) => {
  const { client } = await merchantWithRefunds();

  const page = await client.refunds.list({ paymentReference: 'order-1042' });

  t.deepEqual(referencesOf(page), ['refund-3', 'refund-1']);
  t.is(page.total, 2);
});

test('listRefunds 200 lists only the refund with the requested reference, even if a refund of another merchant has it too', async (t) => {
  const [{ client }] = await Promise.all([merchantWithRefunds(), merchantWithRefunds()]);

  t.deepEqual(referencesOf(await client.refunds.list({ reference: 'refund-2' })), ['refund-2']);
  t.deepEqual(await client.refunds.list({ reference: 'refund-4' }), { refunds: [], total: 0 });
  const both = { reference: 'refund-2', paymentReference: 'order-1042' };
  t.deepEqual(referencesOf(await client.refunds.list(both)), []);
});

test('listRefunds 200 lists only the refunds with the requested status, or with one of several requested statuses', async (t) => {
  const merchant = await merchantWithRefunds();
  await withoutWorker().database.query(
    `update refund set status = 'processing' where reference = 'refund-2' and merchant_id = $1`,
    [merchant.id],
  );

  t.deepEqual(referencesOf(await merchant.client.refunds.list({ status: 'processing' })), ['refund-2']);
  t.deepEqual(referencesOf(await merchant.client.refunds.list({ status: 'failed' })), []);
  const both = await merchant.client.refunds.list({ status: ['processing', 'pending'] });
  t.deepEqual(referencesOf(both), ['refund-3', 'refund-2', 'refund-1']);
});

test('listRefunds 200 lists only the refunds of the requested period', async (t) => {
  const { client } = await merchantWithRefunds();
  const { createdAt } = await client.refunds.get('refund-2');

  t.is((await client.refunds.list({ from: '2999-01-01T00:00:00.000Z' })).total, 0);
  t.true(referencesOf(await client.refunds.list({ from: createdAt })).includes('refund-2'));
  t.false(referencesOf(await client.refunds.list({ to: createdAt })).includes('refund-2'));
});

test('listRefunds 200 lists no refund of another merchant or of the other mode', async (t) => {
  const merchant = await merchantWithRefunds();
  const stranger = await withoutWorker().createMerchant();

  t.deepEqual(await stranger.client.refunds.list(), { refunds: [], total: 0 });
  t.deepEqual(await merchant.liveClient.refunds.list(), { refunds: [], total: 0 });
});

test('listRefunds 400 when the status does not exist', async (t) => {
  const { client } = await withoutWorker().createMerchant();

  const attempt = client.refunds.list({ status: 'refunded' as 'failed' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'status');
});
