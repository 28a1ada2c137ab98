/** Every state of a payment after a refresh, on narrow screens, on paper and with the longest texts. */
import type { CheckoutRequest, Payment } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import { leaveAttemptUndecided } from '../../support/money/payments.ts';
import {
  customers,
  declinedCard,
  expireCheckout,
  goodCard,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForHeading,
} from '../../support/pages/checkout-page.ts';
import { payByForm } from '../../support/pages/hosted-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

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

const complete = (page: Page) => page.getByRole('button', { name: 'Complete authentication' });

/** Pays until the page with the question of the bank is shown. */
async function reachStep(page: Page) {
  const checkout = await startCheckout(server());
  await page.goto(checkout.checkoutUrl);
  await pay(page, { number: threeDSecureCard });
  await waitForHeading(page, 'Confirm it is you');
  return checkout;
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

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

test.serial('the page of an expired payment says so and has no card form', async (t) => {
  const { checkoutUrl, client, payment } = await checkout();
  await expireCheckout(client);
  const page = await openPage(t, { javaScriptEnabled: false });

  const response = await page.goto(checkoutUrl);
  await waitForHeading(page, 'This link has expired');

  t.is(response?.status(), 200);
  t.is(await page.getByLabel('Card number').count(), 0);
  t.like(await payment(), { status: 'expired', attempts: 0 });
});

test.serial(
  'an open form of test mode notices that its expiry has come nearer, and keeps what was typed',
  async (t) => {
    const { checkoutUrl, client } = await checkout();
    const page = await openPage(t);
    await page.goto(checkoutUrl);
    const name = page.getByLabel('Name on card');
    await name.fill('Ada Lovelace');
    t.false(await page.getByRole('timer').isVisible());

    await client.test.advanceTime({ seconds: 86_400 - 299 });

    await page
      .getByRole('timer')
      .getByText(/^4:\d\d$/)
      .waitFor();
    t.is(await name.inputValue(), 'Ada Lovelace');
    await client.test.advanceTime({ seconds: 300 });
    await t.notThrowsAsync(waitForHeading(page, 'This link has expired'));
  },
);

for (const format of ['A4', 'Letter'] as const) {
  test.serial(`the longest receipt is one page on ${format}`, async (t) => {
    const page = await openPage(t);
    const description = 'Two books, with a long description. '.repeat(5);
    const { checkoutUrl } = await checkout({ description, reference: 'x'.repeat(64) });
    await page.goto(checkoutUrl);
    await pay(page, { number: goodCard });
    await waitForHeading(page, 'Payment successful');

    const pdf = (await page.pdf({ format })).toString('latin1');

    t.is(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1);
  });
}

test.serial('a payment whose time was over after a decline was cancelled by nobody', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl, client } = await checkout();
  await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');
  await expireCheckout(client);

  await page.goto(checkoutUrl);

  await t.notThrowsAsync(waitForHeading(page, 'Payment not completed'));
});
