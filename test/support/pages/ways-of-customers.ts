import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';
import {
  declinedCard,
  goodCard,
  merchantSite,
  pay,
  startCheckout,
  threeDSecureCard,
  typed,
  waitForDecline,
  waitForHeading,
} from './checkout-page.ts';

type Way = (t: ExecutionContext, page: Page, server: TestServer) => Promise<void>;

type Titled = readonly [titleFor: (customer: string) => string, walk: Way];

/** `npm test` also tests these paths without JavaScript. */
export const mainWays: readonly Titled[] = [
  [
    (customer) =>
      `${customer} reads why a card was declined and how many attempts are left, and pays with another card`,
    payAfterDecline,
  ],
  [(customer) => `${customer} corrects a wrong security code twice without using up an attempt`, correctSecurityCode],
  [(customer) => `${customer} reads the question of the bank, confirms it and has paid`, confirmWithBank],
];

/** Only `exhaustive/` tests these paths without JavaScript. */
export const otherWays: readonly Titled[] = [
  [(customer) => `three declines end the payment of ${customer}`, declineThreeTimes],
  [(customer) => `${customer} returns to the merchant after a decline, with reference and status`, returnAfterDecline],
  [
    (customer) => `${customer} does not confirm, reads that the bank has declined, and pays with another card`,
    refuseToConfirm,
  ],
];

async function payAfterDecline(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const { checkoutUrl, payment } = await startCheckout(server);

  await page.goto(checkoutUrl);
  await pay(page, { number: '4000 0000 0000 9995' });
  await waitForDecline(page);
  await page.getByText('The card has insufficient funds. Nothing was charged.').waitFor();
  await page.getByText('Visa ending in 9995').waitFor();
  await page.getByText('You have 2 attempts left. Use another card').waitFor();
  t.deepEqual(await typed(page), { cardNumber: '', expiry: '12 / 40', cvc: '', cardName: 'Ada Lovelace' });
  await page.locator('#cardNumber:focus').fill(goodCard);
  await page.getByLabel('Security code').fill('987');
  await page.getByRole('button', { name: /^Pay / }).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 2, failureCode: null });
}

async function correctSecurityCode(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const { checkoutUrl, payment } = await startCheckout(server);
  const wrongCode = '4000 0000 0000 0127';

  await page.goto(checkoutUrl);
  await pay(page, { number: wrongCode });
  for (const left of ['3 attempts', '3 attempts', '2 attempts', '1 attempt']) {
    await page.getByText(`You have ${left} left. Check the security code, or use another card.`).waitFor();
    await page.getByText('The security code is incorrect. Nothing was charged.').waitFor();
    t.deepEqual(await typed(page), { cardNumber: '', expiry: '12 / 40', cvc: '', cardName: 'Ada Lovelace' });
    await page.locator('#cvc:focus').fill('988');
    await page.getByLabel('Card number').fill(wrongCode);
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForLoadState();
  }
  await waitForHeading(page, 'Payment not completed');

  t.like(await payment(), { status: 'failed', attempts: 3, failureCode: 'incorrect_cvc' });
}

async function declineThreeTimes(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const { checkoutUrl, payment } = await startCheckout(server);

  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await page.getByText('You have 2 attempts left.').waitFor();
  await pay(page, { number: declinedCard });
  await page.getByText('You have 1 attempt left.').waitFor();
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment not completed');

  t.is(await page.getByLabel('Card number').count(), 0);
  t.like(await payment(), { status: 'failed', attempts: 3, failureCode: 'card_declined' });
}

async function returnAfterDecline(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const site = await merchantSite(t);
  const callbackUrl = `${site}/thanks?cart=7&note=a%20b`;
  const { checkoutUrl, reference, payment } = await startCheckout(server, { callbackUrl });

  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await page.getByRole('button', { name: 'Return to Ada’s Books' }).click();
  await waitForHeading(page, 'Back at the shop');

  t.is(page.url(), `${callbackUrl}&reference=${reference}&status=failed`);
  t.like(await payment(), { status: 'failed', attempts: 1 });
}

async function confirmWithBank(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const { payment } = await reachBankStep(page, server);

  const question = (await page.getByRole('main').textContent()) ?? '';
  for (const text of ['3-D Secure', 'Ada’s Books', '₦5,000.00', 'Visa ending in 3220', 'Test mode']) {
    t.true(question.includes(text), text);
  }
  t.like(await payment(), { status: 'processing', attempts: 1 });
  await confirmStep(page).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 1, paymentMethod: { last4: '3220' } });
}

async function refuseToConfirm(t: ExecutionContext, page: Page, server: TestServer): Promise<void> {
  const { payment } = await reachBankStep(page, server);

  await refuseStep(page).click();
  await waitForDecline(page);
  await page.getByText('The bank did not confirm the cardholder. Nothing was charged.').waitFor();
  await page.getByText('You have 2 attempts left. Try again and confirm the payment with your bank').waitFor();
  t.like(await payment(), { status: 'pending', attempts: 1, failureCode: 'authentication_failed' });
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 2 });
}

export async function reachBankStep(page: Page, server: TestServer) {
  const checkout = await startCheckout(server);
  await page.goto(checkout.checkoutUrl);
  await pay(page, { number: threeDSecureCard });
  await waitForHeading(page, 'Confirm it is you');
  return checkout;
}

export const confirmStep = (page: Page) => page.getByRole('button', { name: 'Complete authentication' });

export const refuseStep = (page: Page) => page.getByRole('button', { name: 'Fail authentication' });
