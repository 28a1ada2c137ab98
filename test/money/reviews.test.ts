import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { listPaymentsForReview, resolvePayment } from '@tillhook/server/src/money/payments/reviews.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import {
  createPaidCheckout,
  goToStripeTwice,
  type LiveCheckout,
  liveCheckout,
  runSettleUndecided,
  sendStripeEvent,
  server,
  stripe,
} from '../support/processors/live-payments.ts';
import type { StripeObject } from '../support/processors/stripe-events.ts';

const isForReview = async (id: string) =>
  (await listPaymentsForReview(withFreshEntityManager(server().context))).some(({ payment }) => payment.id === id);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

const otherwise: [own: StripeObject, paidAmount: bigint, paidCurrency: string][] = [
  [{ amount_total: 499_999 }, 499_999n, 'NGN'],
  [{ currency: 'usd' }, 500_000n, 'USD'],
  [{ amount_total: null }, 0n, 'NGN'],
];

for (const [own, paidAmount, paidCurrency] of otherwise) {
  test.serial(
    `a payment whose Stripe session was paid with ${JSON.stringify(own)} is processing until an operator decides, whatever Stripe reports`,
    async (t) => {
      const { id, merchant, payment, events, collected, session } = await createPaidCheckout(own);

      await sendStripeEvent('checkout.session.completed', session);
      await sendStripeEvent('checkout.session.expired', session);
      await runSettleUndecided(merchant);

      t.is((await payment()).status, 'processing');
      t.is(await collected(), 0);
      const waiting = (await listPaymentsForReview(withFreshEntityManager(server().context))).find(
        (each) => each.payment.id === id,
      );
      t.like(waiting?.paid[0], { paidAmount, paidCurrency, processorId: session.id });
      await inTransaction(withFreshEntityManager(server().context), (tx) => resolvePayment(tx, { id }, 'completed'));
      t.is((await payment()).status, 'completed');
      t.deepEqual(await events(), ['checkout.success to 1']);
      t.is(await collected(), 500_000);
      t.false(await isForReview(id));
    },
  );
}

test.serial(
  'a payment that gets a wrong amount after its expiry stays expired until an operator decides',
  async (t) => {
    const timeRunsOut = async ({ merchant, reference }: LiveCheckout) => {
      await server().database.query('update payment set expires_at = now() where reference = $1', [reference]);
      await runSettleUndecided(merchant);
    };
    const { id, payment, collected } = await createPaidCheckout({ amount_total: 1 }, timeRunsOut);
    t.is((await payment()).status, 'expired');
    t.true(await isForReview(id));

    await inTransaction(withFreshEntityManager(server().context), (tx) => resolvePayment(tx, { id }, 'failed'));

    t.is((await payment()).status, 'expired');
    t.false(await isForReview(id));
    t.is(await collected(), 0);
  },
);

async function underReviewAtSecondSession() {
  const checkout = await liveCheckout();
  const [first, second] = await goToStripeTwice(checkout);
  stripe.pay(first, { amount_total: 1 });
  await sendStripeEvent('checkout.session.completed', first);
  const { id } = await checkout.payment();
  const resolve = () =>
    inTransaction(withFreshEntityManager(server().context), (tx) => resolvePayment(tx, { id }, 'completed'));
  return { ...checkout, id, second, resolve };
}

/** Runs the job as the schedule runs it: the test does not make an attempt due. */
const runJob = () => askAboutPayments(withFreshEntityManager(server().context));

const openAttemptOf = (paymentId: string) =>
  server().database.query(
    `select next_check_at <= now() + interval '1 minute' as is_soon from payment_attempt
     where payment_id = $1 and outcome is null`,
    [paymentId],
  );

test.serial('when an operator completes a payment, the Stripe session of its other attempt is expired', async (t) => {
  const { id, second, resolve, payment, collected, events } = await underReviewAtSecondSession();
  await runJob();
  t.is(second.status, 'open');

  await resolve();
  await runJob();

  t.is(second.status, 'expired');
  t.deepEqual(await openAttemptOf(id), []);
  t.is((await payment()).status, 'completed');
  t.deepEqual(await events(), ['checkout.success to 1']);
  t.is(await collected(), 500_000);
  t.false(await isForReview(id));
});

test.serial(
  'while Stripe does not answer, a job retries every minute to cancel the Stripe session of the other attempt',
  async (t) => {
    const { id, second, resolve, merchant } = await underReviewAtSecondSession();
    await server().database.query(
      `update payment_attempt set started_at = now() - interval '20 hours' where payment_id = $1`,
      [id],
    );
    await resolve();
    stripe.failNext('request lost');

    await runJob();

    t.is(second.status, 'open');
    t.deepEqual(await openAttemptOf(id), [{ is_soon: true }]);
    await runSettleUndecided(merchant);
    t.is(second.status, 'expired');
  },
);

test.serial(
  'a payment that is paid again while an operator completes it is credited once, and is under review again',
  async (t) => {
    const { id, second, resolve, payment, collected } = await underReviewAtSecondSession();
    await resolve();
    stripe.pay(second);

    await runJob();

    t.is((await payment()).status, 'completed');
    t.is(await collected(), 500_000);
    const waiting = (await listPaymentsForReview(withFreshEntityManager(server().context))).find(
      (each) => each.payment.id === id,
    );
    t.is(waiting?.payment.reviewReason, 'paid_twice');
    t.deepEqual(waiting?.paid.map(({ paidAmount }) => paidAmount).sort(), [1n, 500_000n]);
  },
);
