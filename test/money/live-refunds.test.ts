import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { balancesOf } from '../support/money/transfers.ts';
import {
  createPaidCheckout,
  goToStripe,
  intentOf,
  type LiveCheckout,
  liveCheckout,
  payTwice,
  refundOf,
  runSettleRefunds,
  sendStripeEvent,
  server,
  stripe,
  tellOfRefund,
} from '../support/processors/live-payments.ts';
import type { StripeObject } from '../support/processors/stripe-events.ts';

const { refunding } = stripe;

test.beforeEach(() => {
  refunding.next = 'succeeded';
});

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

const statusOf = async ({ merchant }: LiveCheckout, reference = 'refund-1') =>
  (await merchant.liveClient.refunds.get(reference)).status;

test.serial('a refund is created at Stripe with its id as the idempotency key, and is completed', async (t) => {
  const paid = await createPaidCheckout({});
  const { id } = await refundOf(paid);

  await runSettleRefunds(paid.merchant);

  t.is(refunding.keys.at(-1), id);
  const made = refunding.refunds.at(-1);
  t.like(made, { amount: 200_000, payment_intent: intentOf(paid), metadata: { refundId: id, reference: 'refund-1' } });
  t.is(await statusOf(paid), 'completed');
  t.deepEqual(await paid.events(), ['checkout.success to 1', 'refund.success to 1']);
  const balances = await balancesOf(server(), paid.merchant, 'live');
  t.deepEqual(balances, { collection: 300_000, refund_reserved: 0, processor_clearing: -300_000 });
});

test.serial(
  'after a lost answer of Stripe the refund stays pending, and the retries create no second refund',
  async (t) => {
    const paid = await createPaidCheckout({});
    await refundOf(paid);
    const before = refunding.refunds.length;
    for (let call = 0; call < 3; call += 1) stripe.failNext('answer lost');

    await runSettleRefunds(paid.merchant);
    t.is(await statusOf(paid), 'pending');
    await runSettleRefunds(paid.merchant);
    await runSettleRefunds(paid.merchant);
    await runSettleRefunds(paid.merchant);

    t.is(refunding.refunds.length, before + 1);
    t.is(await statusOf(paid), 'completed');
  },
);

test.serial('a refund that Stripe refuses fails, and its amount returns to the wallet', async (t) => {
  const paid = await createPaidCheckout({});
  await refundOf(paid);
  refunding.next = null;

  await runSettleRefunds(paid.merchant);

  const { status, failureCode } = await paid.merchant.liveClient.refunds.get('refund-1');
  t.deepEqual([status, failureCode], ['failed', 'charge_already_refunded']);
  t.is(await paid.collected(), 500_000);
  t.is((await paid.payment()).amountRefunded, 0);
});

test.serial(
  'webhooks about a refund settle it once: before the answer of Stripe, twice, and out of order',
  async (t) => {
    const paid = await createPaidCheckout({});
    const { id } = await refundOf(paid);
    const object = { payment_intent: intentOf(paid), amount: 200_000, metadata: { refundId: id } };
    const refund = refunding.make({ ...object, status: 'pending' });

    t.is(await tellOfRefund('refund.created', refund), 200);
    t.is(await statusOf(paid), 'processing');
    t.is(await tellOfRefund('refund.updated', { ...refund, status: 'succeeded' }, 'evt_refund_once'), 200);
    t.is(await tellOfRefund('refund.updated', { ...refund, status: 'succeeded' }, 'evt_refund_once'), 200);
    t.is(await tellOfRefund('refund.created', refund), 200);

    t.is(await statusOf(paid), 'completed');
    t.deepEqual(await paid.events(), ['checkout.success to 1', 'refund.success to 1']);
    t.is(
      await tellOfRefund('refund.failed', { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' }),
      200,
    );
    const { status, failureCode } = await paid.merchant.liveClient.refunds.get('refund-1');
    t.deepEqual([status, failureCode], ['failed', 'lost_or_stolen_card']);
    t.is(await paid.collected(), 500_000);
  },
);

test.serial('a refund that is created at Stripe is recorded once, whichever events report it', async (t) => {
  const paid = await createPaidCheckout({});
  const refund = refunding.make({ payment_intent: intentOf(paid), amount: 120_000 });

  const told = [
    await tellOfRefund('refund.created', refund),
    await tellOfRefund('charge.refunded', { payment_intent: intentOf(paid) }),
    await tellOfRefund('refund.updated', refund),
  ];

  t.deepEqual(told, [200, 200, 200]);
  const { refunds, total } = await paid.merchant.liveClient.refunds.list();
  t.is(total, 1);
  t.like(refunds[0], { amount: 120_000, status: 'completed', origin: 'processor', paymentReference: paid.reference });
  t.is((await paid.payment()).amountRefunded, 120_000);
  t.is(await paid.collected(), 380_000);
  t.deepEqual(await paid.events(), ['checkout.success to 1', 'refund.success to 1']);
});

/** The payment of a merchant with receipts, and the kinds of the mails to its customer. */
async function createMailedCheckout() {
  const paid = await createPaidCheckout({}, async ({ merchant }) => {
    await server().database.query('update merchant set send_receipts = true where id = $1', [merchant.id]);
  });
  const mails = () =>
    server().database.query<{ kind: string }>(
      `select kind from mail where merchant_id = $1 and recipient = 'ada@example.com' order by id`,
      [paid.merchant.id],
    );
  return { paid, mails: async () => (await mails()).map(({ kind }) => kind) };
}

test.serial('a refund that Stripe refuses at once makes no mail to the customer', async (t) => {
  const { paid, mails } = await createMailedCheckout();
  await refundOf(paid);
  refunding.next = null;

  await runSettleRefunds(paid.merchant);

  t.is(await statusOf(paid), 'failed');
  t.deepEqual(await mails(), ['receipt']);
});

test.serial('the customer gets a mail when a refund is complete, and another if it fails afterwards', async (t) => {
  const { paid, mails } = await createMailedCheckout();
  const refund = refunding.make({ payment_intent: intentOf(paid), amount: 120_000 });
  t.is(await tellOfRefund('refund.created', refund), 200);
  t.is(await tellOfRefund('refund.updated', refund), 200);
  t.deepEqual(await mails(), ['receipt', 'refund_arrived']);

  const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' };
  t.is(await tellOfRefund('refund.failed', failed), 200);
  t.is(await tellOfRefund('refund.failed', failed), 200);

  t.deepEqual(await mails(), ['receipt', 'refund_arrived', 'refund_failed']);
});

test.serial(
  'without funds, a refund that is created at Stripe puts the payment under review, and is posted when there are funds',
  async (t) => {
    const paid = await createPaidCheckout({});
    const { merchant } = paid;
    await merchant.liveClient.wallets.topUp({ amount: 450_000 });
    const refund = refunding.make({ payment_intent: intentOf(paid), amount: 120_000 });

    t.is(await tellOfRefund('refund.created', refund), 200);

    t.like(await paid.payment(), { status: 'completed', reviewReason: 'refund_without_funds', amountRefunded: 0 });
    t.like((await merchant.liveClient.refunds.list()).refunds[0], { status: 'completed', origin: 'processor' });
    t.is(await paid.collected(), 50_000);
    t.deepEqual(await paid.events(), ['checkout.success to 1', 'refund.success to 1']);

    await runSettleRefunds(merchant);
    t.is((await paid.payment()).reviewReason, 'refund_without_funds');
    t.like(await t.throwsAsync(refundOf(paid, 1000)), { status: 409, code: 'payment_under_review' });
    const { session } = await goToStripe(await liveCheckout({}, merchant));
    await sendStripeEvent('checkout.session.completed', stripe.pay(session));
    await runSettleRefunds(merchant);

    t.like(await paid.payment(), { reviewReason: null, amountRefunded: 120_000 });
    t.is(await paid.collected(), 430_000);
  },
);

test.serial(
  'when a payment is under review for two reasons, the merchant sees the reason because of which refunds are refused',
  async (t) => {
    const checkout = await liveCheckout();
    const { merchant } = checkout;
    const refundOne = () => merchant.liveClient.refunds.create(checkout.reference, { amount: 1000 });
    await payTwice(checkout);
    t.is((await checkout.payment()).reviewReason, 'paid_twice');
    await merchant.liveClient.wallets.topUp({ amount: 450_000 });
    const first = stripe.sessions.at(-2)?.payment_intent as StripeObject;

    t.is(await tellOfRefund('refund.created', refunding.make({ payment_intent: first.id, amount: 120_000 })), 200);

    t.is((await checkout.payment()).reviewReason, 'refund_without_funds');
    t.like(await t.throwsAsync(refundOne()), { status: 409, code: 'payment_under_review' });
    const { session } = await goToStripe(await liveCheckout({}, merchant));
    await sendStripeEvent('checkout.session.completed', stripe.pay(session));
    await runSettleRefunds(merchant);
    t.is((await checkout.payment()).reviewReason, 'paid_twice');
    await t.notThrowsAsync(refundOne());
  },
);

test.serial('the refund of a second payment that was never credited to the merchant debits nothing', async (t) => {
  const checkout = await liveCheckout();
  await payTwice(checkout);
  const second = stripe.sessions.at(-1)?.payment_intent as StripeObject;

  t.is(await tellOfRefund('refund.created', refunding.make({ payment_intent: second.id, amount: 500_000 })), 200);

  t.is((await checkout.merchant.liveClient.refunds.list()).total, 0);
  t.is(await checkout.collected(), 500_000);
});

test.serial(
  'an event about a refund changes nothing if the refund has no payment intent, or if Stripe does not return the payment',
  async (t) => {
    const foreign = refunding.make({ payment_intent: null, amount: 100 });
    t.is(await tellOfRefund('refund.created', foreign), 200);

    const paid = await createPaidCheckout({});
    const refund = refunding.make({ payment_intent: intentOf(paid), amount: 100 });
    for (let call = 0; call < 2; call += 1) stripe.failNext({ status: 503, error: { type: 'api_error' } });

    t.true((await tellOfRefund('refund.created', refund)) >= 500);
    t.is((await paid.merchant.liveClient.refunds.list()).total, 0);
  },
);
