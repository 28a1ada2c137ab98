/** The checkout: a customer pays, is declined, confirms with the bank, and returns to the merchant, with scripts and without. */
import { startReceiver } from '@tillhook/mock/receiver';
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { languages, payInLanguage, type Sentences } from '../support/pages/checkout-languages.ts';
import {
  customers,
  declinedCard,
  goodCard,
  merchantSite,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} pays with a card and sees the receipt, and the merchant gets the event`, async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { client, checkoutUrl, reference, payment } = await checkout();
    const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
    await receiver.addSecret(endpoint.secret);
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(checkoutUrl);
    await pay(page, { number: goodCard });
    await waitForHeading(page, 'Payment successful');

    const receipt = (await page.getByRole('main').textContent()) ?? '';
    for (const fact of ['₦5,000.00', 'Ada’s Books', reference, 'Visa ending in 4242', 'ada@example.com']) {
      t.true(receipt.includes(fact), fact);
    }
    t.like(await payment(), { status: 'completed', attempts: 1, paymentMethod: { brand: 'visa', last4: '4242' } });
    const [delivery] = await receiver.waitFor(1);
    t.is(delivery?.verification, 'verified');
    t.like(JSON.parse(String(delivery?.body)), { event: 'checkout.success', data: { reference, amount: 500_000 } });
    await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.successCount, 1);
    t.is(receiver.deliveries.length, 1);
  });

  test.serial(
    `${customer} reads why a card was declined and how many attempts are left, and pays with another card`,
    async (t) => {
      const { checkoutUrl, payment } = await checkout();
      const page = await openPage(t, { javaScriptEnabled });

      await page.goto(checkoutUrl);
      await pay(page, { number: '4000 0000 0000 9995' });
      await waitForHeading(page, 'Payment declined');
      await page.getByText('The card has insufficient funds. Nothing was charged.').waitFor();
      await page.getByText('Visa ending in 9995').waitFor();
      await page.getByRole('definition').getByText('₦5,000.00').waitFor();
      await page.getByText('You have 2 more attempts.').waitFor();
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByText('The card has insufficient funds. You have 2 attempts left.').waitFor();
      await pay(page, { number: goodCard });
      await waitForHeading(page, 'Payment successful');

      t.like(await payment(), { status: 'completed', attempts: 2, failureCode: null });
    },
  );

  test.serial(`three declines end the payment of ${customer}`, async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(checkoutUrl);
    await pay(page, { number: declinedCard });
    await page.getByText('You have 2 more attempts.').waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    await pay(page, { number: declinedCard });
    await page.getByText('You have 1 more attempt.').waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    await pay(page, { number: declinedCard });
    await waitForHeading(page, 'Payment not completed');

    t.is(await page.getByLabel('Card number').count(), 0);
    t.is(await page.getByRole('link', { name: 'Try again' }).count(), 0);
    t.like(await payment(), { status: 'failed', attempts: 3, failureCode: 'card_declined' });
  });

  test.serial(`${customer} returns to the merchant after a decline, with reference and status`, async (t) => {
    const site = await merchantSite(t);
    const { checkoutUrl, reference, payment } = await checkout({ callbackUrl: `${site}/thanks?cart=7&note=a%20b` });
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(checkoutUrl);
    await pay(page, { number: declinedCard });
    await page.getByRole('button', { name: 'Return to Ada’s Books' }).click();
    await waitForHeading(page, 'Back at the shop');

    t.is(page.url(), `${site}/thanks?cart=7&note=a%20b&reference=${reference}&status=failed`);
    t.like(await payment(), { status: 'failed', attempts: 1 });
  });
}

test.serial(
  'a customer makes a mistake, is declined and pays in Arabic, from right to left, at 320 pixels',
  async (t) => {
    const said = languages.find(({ dir }) => dir === 'rtl') as Sentences;
    const page = await openPage(t, { viewport: { width: 320, height: 640 } });

    await payInLanguage(t, page, { server: server(), said });
  },
);

test.serial('a customer who has paid is sent to the merchant with reference and status', async (t) => {
  const site = await merchantSite(t);
  const { checkoutUrl, reference } = await checkout({ callbackUrl: `${site}/thanks?cart=7` });
  const page = await openPage(t);
  await page.clock.install();

  await page.goto(checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');
  await page.clock.runFor('00:06');
  await waitForHeading(page, 'Back at the shop');

  t.is(page.url(), `${site}/thanks?cart=7&reference=${reference}&status=completed`);
});

const complete = (page: Page) => page.getByRole('button', { name: 'Complete authentication' });

const fail = (page: Page) => page.getByRole('button', { name: 'Fail authentication' });

/** Pays until the page with the question of the bank is shown. */
async function reachStep(page: Page) {
  const checkout = await startCheckout(server());
  await page.goto(checkout.checkoutUrl);
  await pay(page, { number: threeDSecureCard });
  await waitForHeading(page, 'Confirm it is you');
  return checkout;
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} reads the question of the bank, confirms it and has paid`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    const { payment } = await reachStep(page);

    const question = (await page.getByRole('main').textContent()) ?? '';
    for (const fact of ['3-D Secure', 'Ada’s Books', '₦5,000.00', 'Visa ending in 3220', 'Test mode']) {
      t.true(question.includes(fact), fact);
    }
    t.like(await payment(), { status: 'processing', attempts: 1 });
    await complete(page).click();
    await waitForHeading(page, 'Payment successful');

    t.like(await payment(), { status: 'completed', attempts: 1, paymentMethod: { last4: '3220' } });
  });

  test.serial(
    `${customer} does not confirm, reads that the bank has declined, and pays with another card`,
    async (t) => {
      const page = await openPage(t, { javaScriptEnabled });
      const { payment } = await reachStep(page);

      await fail(page).click();
      await waitForHeading(page, 'Payment declined');
      await page.getByText('The bank did not confirm the cardholder. Nothing was charged.').waitFor();
      await page.getByText('You have 2 more attempts. Try again and confirm the payment with your bank').waitFor();
      t.like(await payment(), { status: 'pending', attempts: 1, failureCode: 'authentication_failed' });
      await page.getByRole('link', { name: 'Try again' }).click();
      await pay(page, { number: goodCard });
      await waitForHeading(page, 'Payment successful');

      t.like(await payment(), { status: 'completed', attempts: 2 });
    },
  );
}

test.serial('a 3-D Secure step that was answered in one tab cannot be answered differently in another', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await reachStep(page);
  const tab = await page.context().newPage();
  await tab.goto(checkoutUrl);
  await complete(page).click();
  await waitForHeading(page, 'Payment successful');

  await fail(tab).click();
  await waitForHeading(tab, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 1 });
});
