/** What came otherwise than it was asked for waits for a person, whatever is told meanwhile. */
import { ofItsOwn } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { listPaymentsForReview, resolvePayment } from '@tillhook/server/src/payments/review.service.ts';
import test from 'ava';
import { faultsOfLedger } from '../support/ledger.ts';
import { type LiveCheckout, paidAs, reconcile, server, tell } from '../support/live-payments.ts';
import type { StripeObject } from '../support/stripe-events.ts';

const isForReview = async (id: string) =>
  (await listPaymentsForReview(ofItsOwn(server().context))).some(({ payment }) => payment.id === id);

test.afterEach.always('the books are right', async (t) => {
  t.deepEqual(await faultsOfLedger(server()), []);
});

const otherwise: [own: StripeObject, paidAmount: bigint, paidCurrency: string][] = [
  [{ amount_total: 499_999 }, 499_999n, 'NGN'],
  [{ currency: 'usd' }, 500_000n, 'USD'],
  [{ amount_total: null }, 0n, 'NGN'],
];

for (const [own, paidAmount, paidCurrency] of otherwise) {
  test.serial(`paid, but ${JSON.stringify(own)}: processing until somebody decides, whatever is told`, async (t) => {
    const { id, merchant, payment, events, collected, session } = await paidAs(own);

    await tell('checkout.session.completed', session);
    await tell('checkout.session.expired', session);
    await reconcile(merchant);

    t.is((await payment()).status, 'processing');
    t.is(await collected(), 0);
    const waiting = (await listPaymentsForReview(ofItsOwn(server().context))).find((each) => each.payment.id === id);
    t.like(waiting?.paid[0], { paidAmount, paidCurrency, processorId: session.id });
    await inTransaction(ofItsOwn(server().context), (writing) => resolvePayment(writing, id, 'completed'));
    t.is((await payment()).status, 'completed');
    t.deepEqual(await events(), ['checkout.success to 1']);
    t.is(await collected(), 500_000);
    t.false(await isForReview(id));
  });
}

test.serial('another amount that comes after the time ran out leaves it expired until somebody decides', async (t) => {
  const timeRunsOut = async ({ merchant, reference }: LiveCheckout) => {
    await server().database.query('update payment set expires_at = now() where reference = $1', [reference]);
    await reconcile(merchant);
  };
  const { id, payment, collected } = await paidAs({ amount_total: 1 }, timeRunsOut);
  t.is((await payment()).status, 'expired');
  t.true(await isForReview(id));

  await inTransaction(ofItsOwn(server().context), (writing) => resolvePayment(writing, id, 'failed'));

  t.is((await payment()).status, 'expired');
  t.false(await isForReview(id));
  t.is(await collected(), 0);
});
