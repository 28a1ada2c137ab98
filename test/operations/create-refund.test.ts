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
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

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

test('201 returns a pending refund whose amount is reserved', async (t) => {
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

test('201 when the body is missing: the service refunds all that is left, and makes the reference', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300 });

  const refund = await merchant.client.refunds.create(order);

  t.is(refund.amount, 700);
  t.regex(refund.reference, /^ref_[a-z0-9]{20}$/);
  t.deepEqual([refund.reason, refund.metadata], [null, {}]);
  t.like(await moneyOf(merchant), { refunds: 2, amountRefunded: 1000 });
});

test('201 once for an Idempotency-Key: the second call gets the first answer', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const options = { idempotencyKey: 'refund-once' };

  const first = await merchant.client.refunds.create(order, { amount: 300 }, options);
  const second = await merchant.client.refunds.create(order, { amount: 300 }, options);

  t.deepEqual(second, first);
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

const wrongAmounts = [0, -1, 1.5, 1_000_000_000_000, 2 ** 53];

for (const amount of wrongAmounts) {
  test(`400 when the amount is ${amount}`, async (t) => {
    const merchant = await paidMerchant(server(), 1000);

    const attempt = merchant.client.refunds.create(order, { amount });

    t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'amount');
    t.like(await moneyOf(merchant), { refunds: 0, amountRefunded: 0 });
  });
}

test('400 when the reason is longer than 200 characters', async (t) => {
  const { client } = await paidMerchant(server());

  const attempt = client.refunds.create(order, { reason: 'x'.repeat(201) });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, 'reason');
});

test('404 when the payment does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const owner = await paidMerchant(server(), 1000);
  const stranger = await server().createMerchant();

  for (const client of [stranger.client, owner.liveClient]) {
    const error = await t.throwsAsync(client.refunds.create(order, { amount: 1 }), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }

  t.like(await moneyOf(owner), { refunds: 0, amountRefunded: 0 });
});

test('409 when the payment is pending, failed or expired', async (t) => {
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

test('409 when a refund has this reference', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300, reference: 'refund-1' });

  const attempt = merchant.client.refunds.create(order, { amount: 300, reference: 'refund-1' });

  t.like(await t.throwsAsync(attempt, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

test('422 when the refund is larger by one than what is left', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.refunds.create(order, { amount: 300 });

  const attempt = merchant.client.refunds.create(order, { amount: 701 });

  const error = await t.throwsAsync(attempt, { instanceOf: RefundError });
  t.like(error, { code: 'refund_exceeds_payment', param: 'amount' });
  t.regex(error?.message ?? '', /\b700\b/);
  t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 300 });
});

for (const body of [undefined, { amount: 1 }]) {
  test(`422 when the payment is refunded already, ${body ? 'with an amount' : 'without an amount'}`, async (t) => {
    const merchant = await paidMerchant(server(), 1000);
    await merchant.client.refunds.create(order);

    const attempt = merchant.client.refunds.create(order, body);

    t.is((await t.throwsAsync(attempt, { instanceOf: RefundError }))?.code, 'refund_exceeds_payment');
    t.like(await moneyOf(merchant), { refunds: 1, amountRefunded: 1000 });
  });
}

test('422 when the Collection wallet holds too little, and nothing is written', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.wallets.topUp({ amount: 701 });

  const attempt = merchant.client.refunds.create(order, { amount: 300 });

  t.is((await t.throwsAsync(attempt, { instanceOf: TransferError }))?.code, 'insufficient_funds');
  t.like(await moneyOf(merchant), { refunds: 0, amountRefunded: 0 });
  t.deepEqual(await balancesOf(server(), merchant), { collection: 299, transfer: 701, processor_clearing: -1000 });
});

test('503 in live mode without a processor', async (t) => {
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
