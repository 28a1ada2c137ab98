import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import {
  customers,
  goodCard,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

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

test.serial('the question is still shown after a refresh and when the link is opened again', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await reachStep(page);

  await page.reload();
  await waitForHeading(page, 'Confirm it is you');
  await page.goto(checkoutUrl);
  await waitForHeading(page, 'Confirm it is you');
  await complete(page).click();
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed', attempts: 1 });
});

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

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(
    `${customer} cancels the step and pays with another card, and nothing counts as an attempt`,
    async (t) => {
      const page = await openPage(t, { javaScriptEnabled });
      const { payment } = await reachStep(page);

      await page.getByRole('link', { name: 'Cancel and use another card' }).click();
      await waitForHeading(page, 'Pay with card');
      t.like(await payment(), { status: 'pending', attempts: 0, failureCode: null });
      await pay(page, { number: goodCard });
      await waitForHeading(page, 'Payment successful');

      t.like(await payment(), { status: 'completed', attempts: 1 });
    },
  );
}

test.serial('an answer without a nonce, or with an unknown value, changes nothing', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, payment } = await reachStep(page);
  const nonce = await page.locator('[name="nonce"]').inputValue();

  const forms: Record<string, string>[] = [
    { step: 'complete' },
    { step: 'complete', nonce: nonce.replace('v1', 'v2') },
    { step: 'maybe', nonce },
    { nonce },
  ];
  for (const form of forms) {
    const answer = await fetch(`${checkoutUrl}/step`, { method: 'POST', body: new URLSearchParams(form) });
    t.regex(await answer.text(), /Confirm it is you/);
  }

  t.like(await payment(), { status: 'processing', attempts: 1 });
});
