import type { Payment } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { leaveAttemptUndecided } from '../support/money/payments.ts';
import {
  customers,
  declinedCard,
  expireCheckout,
  goodCard,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
type Checkout = Awaited<ReturnType<typeof startCheckout>>;

/** For each state of a payment: the steps to it, and the heading of its page. */
const states: Record<
  string,
  { heading: string; status: Payment['status']; reach?: (page: Page, to: Checkout) => Promise<void> }
> = {
  'waits for its customer': { heading: 'Pay with card', status: 'pending' },
  'was declined': {
    heading: 'Payment declined',
    status: 'pending',
    reach: (page) => pay(page, { number: declinedCard }),
  },
  'waits for the bank': {
    heading: 'Confirm it is you',
    status: 'processing',
    reach: (page) => pay(page, { number: threeDSecureCard }),
  },
  'is being decided': {
    heading: 'Still processing',
    status: 'processing',
    reach: async (page, { accessCode }) => {
      await leaveAttemptUndecided(server(), accessCode);
      await page.reload();
    },
  },
  'is paid': { heading: 'Payment successful', status: 'completed', reach: (page) => pay(page, { number: goodCard }) },
  failed: {
    heading: 'Payment not completed',
    status: 'failed',
    reach: async (page, { checkoutUrl }) => {
      for (const number of [declinedCard, declinedCard, declinedCard]) await payByForm(checkoutUrl, number);
      await page.reload();
    },
  },
  'was cancelled by its customer': {
    heading: 'You cancelled this payment',
    status: 'failed',
    reach: async (page) => {
      await pay(page, { number: declinedCard });
      await page.getByRole('button', { name: 'Cancel this payment' }).click();
    },
  },
  'was cancelled by the merchant': {
    heading: 'This payment was cancelled',
    status: 'expired',
    reach: async (page, { client, reference }) => {
      await client.payments.cancel(reference);
      await page.reload();
    },
  },
  expired: {
    heading: 'This link has expired',
    status: 'expired',
    reach: async (page, { client }) => {
      await expireCheckout(client);
      await page.reload();
    },
  },
};

for (const [state, { heading, status, reach }] of Object.entries(states)) {
  test.serial(
    `the page of a payment that ${state} is the same after a refresh, with JavaScript and without`,
    async (t) => {
      const checkout = await startCheckout(server());
      const page = await openPage(t);
      await page.goto(checkout.checkoutUrl);
      await reach?.(page, checkout);
      await waitForHeading(page, heading);
      const before = await checkout.payment();

      await page.reload();
      await waitForHeading(page, heading);
      t.regex(await (await fetch(page.url())).text(), new RegExp(`<h1[^>]*>${heading}</h1>`));

      t.is(before.status, status);
      t.deepEqual(await checkout.payment(), before);
    },
  );
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} whose payment is being decided sees the receipt as soon as it is paid`, async (t) => {
    const { checkoutUrl, accessCode, client, reference } = await startCheckout(server());
    await leaveAttemptUndecided(server(), accessCode);
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(checkoutUrl);
    await waitForHeading(page, 'Still processing');

    await client.testHelpers.completePayment(reference);

    await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
  });
}

test.serial(
  'a page that polls keeps focus and scroll position, and tells screen readers when it takes long',
  async (t) => {
    const { checkoutUrl, accessCode } = await startCheckout(server());
    await leaveAttemptUndecided(server(), accessCode);
    const page = await openPage(t);
    await page.clock.install();
    await page.goto(checkoutUrl);
    await waitForHeading(page, 'Still processing');
    await page.getByRole('link', { name: 'Look again' }).focus();
    let arrivals = 0;
    page.on('framenavigated', () => {
      arrivals += 1;
    });

    const slow = page.getByRole('status').getByText('This takes longer than usual.');
    for (let look = 0; look < 20 && !(await slow.isVisible()); look += 1) {
      const answer = page.waitForResponse((response) => response.url().startsWith(checkoutUrl));
      await page.clock.runFor('00:03');
      await (await answer).finished();
    }
    await slow.waitFor();

    await page.getByRole('link', { name: 'Look again' }).and(page.locator(':focus')).waitFor();
    t.is(arrivals, 0);
  },
);
