import type { Payment } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { leaveProcessing } from '../support/money/payments.ts';
import {
  asksForStep,
  customers,
  declined,
  pay,
  runOut,
  sees,
  startCheckout,
  works,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
type Checkout = Awaited<ReturnType<typeof startCheckout>>;

/** How a payment gets into each state, and the heading that its page has then. */
const states: Record<
  string,
  { heading: string; status: Payment['status']; reach?: (page: Page, to: Checkout) => Promise<void> }
> = {
  'waits for its customer': { heading: 'Pay with card', status: 'pending' },
  'was declined': {
    heading: 'Payment declined',
    status: 'pending',
    reach: (page) => pay(page, { number: declined }),
  },
  'waits for the bank': {
    heading: 'Confirm it is you',
    status: 'processing',
    reach: (page) => pay(page, { number: asksForStep }),
  },
  'is being decided': {
    heading: 'Still processing',
    status: 'processing',
    reach: async (page, { accessCode }) => {
      await leaveProcessing(server(), accessCode);
      await page.reload();
    },
  },
  'is paid': { heading: 'Payment successful', status: 'completed', reach: (page) => pay(page, { number: works }) },
  failed: {
    heading: 'Payment not completed',
    status: 'failed',
    reach: async (page) => {
      await pay(page, { number: declined });
      await page.getByRole('button', { name: 'Cancel this payment' }).click();
    },
  },
  expired: {
    heading: 'This link has expired',
    status: 'expired',
    reach: async (page, { accessCode }) => {
      await runOut(server(), accessCode);
      await page.reload();
    },
  },
};

for (const [state, { heading, status, reach }] of Object.entries(states)) {
  test.serial(`a payment that ${state} is the same after a refresh, with script and without`, async (t) => {
    const checkout = await startCheckout(server());
    const page = await openPage(t);
    await page.goto(checkout.checkoutUrl);
    await reach?.(page, checkout);
    await sees(page, heading);
    const before = await checkout.payment();

    await page.reload();
    await sees(page, heading);
    t.regex(await (await fetch(page.url())).text(), new RegExp(`<h1[^>]*>${heading}</h1>`));

    t.is(before.status, status);
    t.deepEqual(await checkout.payment(), before);
  });
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} whose payment is being decided is shown the receipt as soon as it is`, async (t) => {
    const { checkoutUrl, accessCode, client, reference } = await startCheckout(server());
    await leaveProcessing(server(), accessCode);
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(checkoutUrl);
    await sees(page, 'Still processing');

    await client.testHelpers.completePayment(reference);

    await t.notThrowsAsync(sees(page, 'Payment successful'));
  });
}

test.serial(
  'a page that polls keeps focus and scroll position, and announces politely when it takes long',
  async (t) => {
    const { checkoutUrl, accessCode } = await startCheckout(server());
    await leaveProcessing(server(), accessCode);
    const page = await openPage(t);
    await page.clock.install();
    await page.goto(checkoutUrl);
    await sees(page, 'Still processing');
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
