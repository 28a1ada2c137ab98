/** `live-payments.test.ts` runs these tests on its server. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { Payment, type ReviewReason } from '@tillhook/server/src/money/payments/payment.entity.ts';
import { PaymentAttempt } from '@tillhook/server/src/money/payments/payment-attempt.entity.ts';
import {
  type Decision,
  listPaymentsForReview,
  resolvePayment,
} from '@tillhook/server/src/money/payments/reviews.service.ts';
import { applyVerdict } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import {
  createPaidCheckout,
  goToStripe,
  goToStripeTwice,
  intentOf,
  liveCheckout,
  refundOf,
  runSettleRefunds,
  sendStripeEvent,
  server,
  stripe,
  tellOfRefund,
} from '../support/processors/live-payments.ts';
import type { StripeObject } from '../support/processors/stripe-events.ts';
import { figuresOf } from '../support/server/figures.ts';

const { refunding } = stripe;

/** Returns the intents in the order in which the customer opened the sessions. */
async function paidBothSessions(order: readonly [first: 0 | 1, second: 0 | 1], amounts: readonly number[] = []) {
  const checkout = await liveCheckout();
  const sessions = await goToStripeTwice(checkout);
  for (const which of order) {
    const session = sessions[which];
    stripe.pay(session, which in amounts ? { amount_total: amounts[which] } : {});
    await sendStripeEvent('checkout.session.completed', session);
  }
  return { ...checkout, intents: sessions.map(({ payment_intent }) => (payment_intent as StripeObject).id) };
}

const paidTwice = [
  { title: 'the first session is paid first', order: [0, 1], amounts: [], credited: 0 },
  { title: 'the second session is paid first', order: [1, 0], amounts: [], credited: 1 },
  {
    title: 'the first session is paid with a wrong amount, and the second with the right amount',
    order: [0, 1],
    amounts: [1],
    credited: 1,
  },
] as const;

for (const { title, order, amounts, credited } of paidTwice) {
  test.serial(`a refund is made from the charge that was credited to the merchant: ${title}`, async (t) => {
    const { merchant, reference, collected, intents, payment } = await paidBothSessions(order, amounts);
    t.is(await collected(), 500_000);
    t.is((await payment()).reviewReason, amounts.length > 0 ? 'amount_mismatch' : 'paid_twice');

    await merchant.liveClient.refunds.create(reference, { amount: 200_000 });
    await runSettleRefunds(merchant);
    t.is(refunding.refunds.at(-1)?.payment_intent, intents[credited]);

    const other = refunding.make({ payment_intent: intents[1 - credited], amount: 300 });
    t.is(await tellOfRefund('refund.created', other), 200);
    t.is((await merchant.liveClient.refunds.list()).total, 1);
    const own = refunding.make({ payment_intent: intents[credited], amount: 700 });
    t.is(await tellOfRefund('refund.created', own), 200);
    t.like((await merchant.liveClient.refunds.list()).refunds[0], { amount: 700, origin: 'processor' });
    t.is(await collected(), 299_300);
  });
}

test.serial('a process whose clock is behind also distinguishes the second payment from the first', async (t) => {
  const checkout = await liveCheckout();
  const [first, second] = await goToStripeTwice(checkout);
  stripe.pay(second);
  await sendStripeEvent('checkout.session.completed', second);
  const hour = `completed_at + interval '1 hour'`;
  await server().database.query(
    `with ahead as (update payment set completed_at = ${hour} where reference = $1 returning id)
     update payment_attempt set settled_at = settled_at + interval '1 hour' from ahead
     where payment_id = ahead.id and outcome = 'paid'`,
    [checkout.reference],
  );
  stripe.pay(first);
  await sendStripeEvent('checkout.session.completed', first);

  await checkout.merchant.liveClient.refunds.create(checkout.reference, { amount: 1 });
  await runSettleRefunds(checkout.merchant);

  t.is(refunding.refunds.at(-1)?.payment_intent, (second.payment_intent as StripeObject).id);
});

test('an attempt that is paid after the payment was completed has a later time than the payment, even in the same millisecond', (t) => {
  const at = new Date('2026-11-27T10:00:00.000Z');
  const paid = { amount: 500n, currency: 'NGN', status: 'completed', completedAt: at, moreReviewReasons: [] } as const;
  const attempt = new PaymentAttempt();
  const context = { clock: { now: () => at }, log: { error: () => {} } } as never;

  applyVerdict(
    context,
    { payment: Object.assign(new Payment(), paid), attempt },
    { result: 'paid', amount: 500n, currency: 'NGN' },
  );

  t.deepEqual(attempt.settledAt, new Date('2026-11-27T10:00:00.001Z'));
});

test.serial(
  'an event about a refund that arrives before its payment is refused, so that Stripe sends the event again',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    stripe.pay(session);
    const { id } = session.payment_intent as StripeObject;
    const refund = refunding.make({ payment_intent: id, amount: 100 });
    t.is(await tellOfRefund('charge.dispute.created', { payment_intent: id }), 200);

    t.true((await tellOfRefund('refund.created', refund)) >= 500);
    await sendStripeEvent('checkout.session.completed', session);
    t.is(await tellOfRefund('refund.created', refund), 200);

    t.is((await checkout.merchant.liveClient.refunds.list()).total, 1);
    t.is(await checkout.collected(), 499_900);
  },
);

test.serial('a dispute puts the payment under review', async (t) => {
  const paid = await createPaidCheckout({});

  t.is(await tellOfRefund('charge.dispute.created', { payment_intent: intentOf(paid) }), 200);

  t.like(await paid.payment(), { status: 'completed', reviewReason: 'disputed' });
  t.is(await paid.collected(), 500_000);
});

const decide = (id: string, decision: Decision, about?: ReviewReason) =>
  inTransaction(withFreshEntityManager(server().context), (tx) => resolvePayment(tx, { id, about }, decision));

const reasonsFor = async (id: string) =>
  (await listPaymentsForReview(withFreshEntityManager(server().context))).find(({ payment }) => payment.id === id)
    ?.payment.reviewReasons;

test.serial(
  'a payment that was paid twice and is disputed is under review for two reasons, until each of them is decided',
  async (t) => {
    const { payment, collected, intents } = await paidBothSessions([0, 1]);
    const { id } = await payment();
    t.is(await tellOfRefund('charge.dispute.created', { payment_intent: intents[0] }), 200);
    t.is(await tellOfRefund('charge.dispute.updated', { payment_intent: intents[0] }), 200);
    t.is((await payment()).reviewReason, 'disputed');
    t.deepEqual(await reasonsFor(id), ['disputed', 'paid_twice']);

    await t.throwsAsync(decide(id, 'completed'), { message: /name the one that you decide: disputed, paid_twice$/ });
    await t.throwsAsync(decide(id, 'completed', 'amount_mismatch'), { message: /no decision about amount_mismatch/ });
    t.deepEqual(await reasonsFor(id), ['disputed', 'paid_twice']);
    await decide(id, 'completed', 'disputed');
    t.is((await payment()).reviewReason, 'paid_twice');
    await t.throwsAsync(decide(id, 'completed', 'disputed'), { message: /no decision about disputed/ });
    await decide(id, 'completed');

    t.is(await reasonsFor(id), undefined);
    t.is(await collected(), 500_000);
  },
);

test.serial(
  'when the review of a dispute ends, the payment stays under review because of its wrong amount',
  async (t) => {
    const { id, session, payment, collected } = await createPaidCheckout({ amount_total: 1 });
    await tellOfRefund('charge.dispute.created', { payment_intent: (session.payment_intent as StripeObject).id });
    t.deepEqual(await reasonsFor(id), ['disputed', 'amount_mismatch']);

    await decide(id, 'failed', 'disputed');
    t.like(await payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
    await decide(id, 'completed', 'amount_mismatch');

    t.like(await payment(), { status: 'completed', reviewReason: null });
    t.is(await collected(), 500_000);
  },
);

test.serial('a disputed payment cannot be refunded while its review lasts', async (t) => {
  const paid = await createPaidCheckout({});
  await tellOfRefund('charge.dispute.created', { payment_intent: intentOf(paid) });

  t.like(await t.throwsAsync(refundOf(paid)), { status: 409, code: 'payment_under_review' });
  t.is((await paid.merchant.liveClient.refunds.list()).total, 0);
  await decide(paid.id, 'completed', 'disputed');
  await refundOf(paid);

  t.is(await paid.collected(), 300_000);
});

test.serial('/metrics counts each dispute once when it opens, and once by its outcome when it ends', async (t) => {
  const paid = await createPaidCheckout({});
  const counts = async () => {
    const figures = await figuresOf(server());
    t.is([...figures.keys()].filter((name) => name.startsWith('tillhook_disputes_total')).length, 4);
    return ['opened', 'won', 'lost', 'undecided'].map((news) =>
      figures.get(`tillhook_disputes_total{status="${news}"}`),
    );
  };
  const before = await counts();
  const since = async () => (await counts()).map((count, index) => Number(count) - Number(before[index]));
  const dispute = { payment_intent: intentOf(paid) };

  await tellOfRefund('charge.dispute.created', dispute, 'evt_dispute_once');
  await tellOfRefund('charge.dispute.created', dispute, 'evt_dispute_once');
  await tellOfRefund('charge.dispute.funds_withdrawn', dispute);
  await tellOfRefund('charge.dispute.updated', dispute);
  t.deepEqual(await since(), [1, 0, 0, 0]);

  await tellOfRefund('charge.dispute.closed', { ...dispute, status: 'won' });
  await tellOfRefund('charge.dispute.closed', { ...dispute, status: 'lost' });
  await tellOfRefund('charge.dispute.closed', { ...dispute, status: 'lost' });
  await tellOfRefund('charge.dispute.closed', { ...dispute, status: 'warning_closed' });
  t.deepEqual(await since(), [1, 1, 2, 1]);
});

test.serial('when the review of a dispute ends, a payment that was refused is not credited', async (t) => {
  const { reference } = await liveCheckout({});
  const [{ id } = { id: '' }] = await server().database.query<{ id: string }>(
    `update payment set status = 'failed', review_reason = 'disputed' where reference = $1 returning id`,
    [reference],
  );

  await t.throwsAsync(decide(id, 'completed'), { message: /credits nothing: resolve it as failed/ });
  const { payment } = await decide(id, 'failed');

  t.deepEqual([payment.status, payment.reviewReason], ['failed', null]);
  // There is no event of the failure, because this test changed the row by SQL.
  await server().database.query(`update payment set status = 'pending' where id = $1`, [id]);
});
