/** Tests how an operator settles payments under review, such as wrong amounts, and what the merchant sees. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { resolvePayment } from '@tillhook/server/src/money/payments/reviews.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/dashboard/dashboard.ts';
import { ledgerBreaches } from '../../support/money/ledger.ts';
import {
  createPaidCheckout,
  liveCheckout,
  payTwice,
  postProcessorWebhook,
  runSettleUndecided,
  server,
  stripe,
} from '../../support/processors/live-payments.ts';
import {
  type StripeEventType,
  type StripeObject,
  signStripeEvent,
  stripeEvent,
} from '../../support/processors/stripe-events.ts';

const openPage = browserForFile();

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial('a payment under review is completed once, and the merchant sees it before and after', async (t) => {
  const { merchant, reference, payment, collected, events } = await createPaidCheckout({ amount_total: 499_999 });
  const own = await openPage(t);
  await openDashboard(own, server(), { merchant, path: '/live' });
  await own.getByText(`Payment ${reference} is under review`).waitFor();
  await own.getByRole('link', { name: 'View payment' }).click();
  await own.getByText('This payment is under review').waitFor();
  await own.getByText('needs review').waitFor();
  t.deepEqual(await barriersOn(own), []);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/live', role: 'operator' });
  await page.getByRole('link', { name: 'Decide' }).click();
  const row = page.getByRole('row', { name: new RegExp(reference) });
  await row.getByText('Different amount received').waitFor();
  await row.getByText('NGN 4,999.99').waitFor();

  await row.getByRole('button', { name: 'Complete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('NGN 4,999.99').waitFor();
  await dialog.getByLabel('Enter the amount to confirm').fill('4,999.99');
  await dialog.getByRole('button', { name: 'Complete payment' }).click();
  await dialog.getByText('That is not NGN 5,000.00.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  t.is((await payment()).status, 'processing');
  await dialog.getByLabel('Enter the amount to confirm').fill('5,000');
  await dialog.getByRole('button', { name: 'Complete payment' }).dblclick();

  await page.getByText('Decided. Status of the payment: Completed.').waitFor();
  await row.waitFor({ state: 'detached' });
  t.is(await collected(), 500_000);
  t.deepEqual(await events(), ['checkout.success to 1']);
  await own.getByText('Payment completed').waitFor();
  t.is(await own.getByText(/This payment is under review|needs review/i).count(), 0);
  await own.goto(`${server().url}/dashboard/live/settings?tab=audit`);
  await own
    .getByRole('row', { name: /Accepted a payment under review.*The operator of this service.*Not shown/ })
    .waitFor();
});

test.serial(
  'when an operator refuses a payment under review, the payment fails or keeps its final status, and is not credited; the merchant sees that a customer paid twice',
  async (t) => {
    const failing = await createPaidCheckout({ amount_total: 1 });
    const late = await createPaidCheckout({ amount_total: 2 }, async ({ merchant, reference }) => {
      await server().database.query('update payment set expires_at = now() where reference = $1', [reference]);
      await runSettleUndecided(merchant);
    });
    const page = await openReviews(t);
    const refuse = async (reference: string, cameIn: string) => {
      await page
        .getByRole('row', { name: new RegExp(reference) })
        .getByRole('button', { name: 'Refuse' })
        .click();
      await page.getByLabel('Enter the amount to confirm').fill('5000');
      await page.getByRole('button', { name: 'Refuse payment' }).click();
      await page.getByText(`That is not NGN ${cameIn}.`).waitFor();
      await page.getByLabel('Enter the amount to confirm').fill(cameIn);
      await page.getByRole('button', { name: 'Refuse payment' }).click();
    };

    await refuse(failing.reference, '0.01');
    await page.getByText('Payment failed.').waitFor();
    await refuse(late.reference, '0.02');
    await page.getByText('Decided. Status of the payment: Expired.').waitFor();

    await page.getByRole('heading', { name: 'No payments under review' }).waitFor();
    t.is((await failing.payment()).status, 'failed');
    t.deepEqual(await failing.events(), ['checkout.failed to 1']);
    t.is((await late.payment()).status, 'expired');
    t.deepEqual([await failing.collected(), await late.collected()], [0, 0]);
    const own = await openPage(t);
    await openDashboard(own, server(), { merchant: failing.merchant, path: `/live/payments/${failing.reference}` });
    await own.getByText('Payment failed').waitFor();

    const twice = await liveCheckout({}, failing.merchant);
    await payTwice(twice);
    await own.goto(`${server().url}/dashboard/live`);
    await own.getByText('The customer paid more than once. The operator of this service decides.').waitFor();
    await own.getByRole('link', { name: 'View payment' }).click();
    await own.getByRole('note').getByText('The customer paid more than once').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Complete' }).waitFor();
    t.is(await page.getByRole('button', { name: 'Refuse' }).count(), 0, 'a completed payment cannot be refused');
    const { id } = await twice.payment();
    await inTransaction(withFreshEntityManager(server().context), (tx) => resolvePayment(tx, { id }, 'completed'));
    await own.reload();
    await own.getByText('Payment completed').waitFor();
    t.is(await own.getByText('The customer paid more than once').count(), 0);
  },
);

for (const [reason, why, effect] of [
  [
    'disputed',
    'Disputed by the customer',
    'No money moves. Respond to the bank at the processor. Close the review once the bank has decided and you have settled the result with the merchant.',
  ],
  [
    'refund_without_funds',
    'Wallet balance too low for a refund',
    'No money moves. The refund stays recorded, and is taken from the merchant’s Collection wallet once its balance is high enough. Close the review once the merchant knows.',
  ],
] as const) {
  test.serial(`an operator ends the review ${reason}, and no money moves`, async (t) => {
    const paid = await createPaidCheckout({});
    const { merchant, reference } = paid;
    await putUnderReview(paid, reason);
    const collected = await paid.collected();
    const page = await openReviews(t);
    const row = page.getByRole('row', { name: new RegExp(reference) });
    await row.getByText(why).waitFor();
    t.deepEqual(await row.getByRole('button').allInnerTexts(), ['Close review']);

    await row.getByRole('button', { name: 'Close review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close review' });
    await dialog.getByText(effect).waitFor();
    t.is(await dialog.getByLabel('Enter the amount to confirm').count(), 0);
    t.deepEqual(await barriersOn(page), []);
    t.is((await paid.payment()).reviewReason, reason);
    await dialog.getByRole('button', { name: 'Close review' }).dblclick();

    await page.getByText('Review closed. Status of the payment: Completed.').waitFor();
    await row.waitFor({ state: 'detached' });
    t.like(await paid.payment(), { status: 'completed', reviewReason: null });
    t.is(await paid.collected(), collected);
    t.is((await paid.events()).filter((event) => event.startsWith('checkout.')).length, 1);
    const own = await openPage(t);
    await openDashboard(own, server(), { merchant, path: '/live/settings?tab=audit' });
    await own.getByRole('row', { name: /Accepted a payment under review.*The operator of this service/ }).waitFor();
  });
}

test.serial(
  'a payment with two reasons for a review has a row for each reason, and an operator settles each reason separately',
  async (t) => {
    const paid = await createPaidCheckout({ amount_total: 1 });
    await putUnderReview(paid, 'disputed');
    const page = await openReviews(t);
    const rows = page.getByRole('row', { name: new RegExp(paid.reference) });
    await rows.getByText('Different amount received').waitFor();
    t.is(await rows.count(), 2);

    const disputed = rows.filter({ hasText: 'Disputed by the customer' });
    await disputed.getByRole('button', { name: 'Close review' }).click();
    await page.getByRole('dialog', { name: 'Close review' }).getByRole('button', { name: 'Close review' }).click();
    await page.getByText('Decided. The payment still needs another decision.').waitFor();
    await disputed.waitFor({ state: 'detached' });

    t.is(await rows.count(), 1);
    t.like(await paid.payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
  },
);

async function putUnderReview({ merchant, session }: PaidCheckout, reason: string): Promise<void> {
  const payment_intent = (session.payment_intent as StripeObject).id;
  if (reason === 'disputed') return tell('charge.dispute.created', { payment_intent });
  await merchant.liveClient.wallets.topUp({ amount: 450_000 });
  return tell('refund.created', stripe.refunding.make({ payment_intent, amount: 120_000 }));
}

type PaidCheckout = Awaited<ReturnType<typeof createPaidCheckout>>;

async function tell(type: StripeEventType, own: StripeObject): Promise<void> {
  const { status } = await postProcessorWebhook(signStripeEvent(stripeEvent(type, own), 'whsec_live_payments'));
  if (status !== 200) throw new Error(`The server answered the event ${type} with ${status}.`);
}

async function openReviews(t: ExecutionContext): Promise<Page> {
  const merchant = await server().createMerchant('The service itself');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/live/operator?tab=payments', role: 'operator' });
  return page;
}
