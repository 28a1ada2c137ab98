import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/accessibility.ts';
import { browserForFile } from '../support/browser.ts';
import { asksForStep, declined, pay, payLiveAt, runOut, sees, startCheckout, works } from '../support/checkout-page.ts';
import { leaveProcessing } from '../support/payments.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const shop = 'https://shop.example.com/thanks';
const processorPage = 'https://processor.example.com/pay';

/** Every page of the hosted checkout, and how a customer gets there. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  'the card form': async (page) => {
    await openCheckout(page);
    await page.getByText('Cards that are declined').click();
  },
  'the card form with mistakes': async (page) => {
    await openCheckout(page);
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.getByRole('alert').waitFor();
  },
  'the card form that is refused as forged': async (page) => {
    await openCheckout(page);
    await forgeNonce(page);
    await pay(page, { number: works });
    await page.getByRole('alert').waitFor();
  },
  'the page after a decline': (page) => payWith(page, declined, 'Payment declined'),
  'the card form after a decline': async (page) => {
    await payWith(page, declined, 'Payment declined');
    await page.getByRole('link', { name: 'Try again' }).click();
    await sees(page, 'Pay with card');
  },
  'the 3-D Secure step': (page) => payWith(page, asksForStep, 'Confirm it is you'),
  'the receipt': (page) => payWith(page, works, 'Payment successful'),
  'the page of a payment that is paid already': async (page) => {
    const { checkoutUrl, client, reference } = await openCheckout(page);
    await client.testHelpers.completePayment(reference);
    await page.goto(checkoutUrl);
    await sees(page, 'Already paid');
  },
  'the page of a payment that is being decided': async (page) => {
    const { accessCode } = await openCheckout(page);
    await leaveProcessing(server(), accessCode);
    await page.reload();
    await sees(page, 'Still processing');
  },
  'the page of a payment that failed': async (page) => {
    const { client, reference } = await openCheckout(page);
    await client.testHelpers.failPayment(reference);
    await page.reload();
    await sees(page, 'Payment not completed');
  },
  'the page of a payment that expired': async (page) => {
    const { accessCode } = await openCheckout(page);
    await runOut(server(), accessCode);
    await page.reload();
    await sees(page, 'This link has expired');
  },
  'no such payment': async (page) => {
    await page.goto(`${server().url}/checkout/nowhere`);
    await sees(page, 'Payment not found');
  },
  'the page before the processor’s': async (page) => {
    await openLive(page);
    await forgeNonce(page);
    await goOn(page);
    await page.getByRole('alert').waitFor();
  },
  'the page that leads to the processor’s': async (page) => {
    await openLive(page);
    await goOn(page);
    await sees(page, 'Taking you to the payment page');
  },
  'the page of a payment that was begun at the processor’s': async (page) => {
    const checkoutUrl = await openLive(page);
    await goOn(page);
    await page.goto(checkoutUrl);
    await sees(page, 'Your payment is waiting');
  },
};

for (const [name, open] of Object.entries(pages)) {
  test.serial(`${name} meets WCAG 2.2 AA, light and dark`, async (t) => {
    const page = await openPage(t);
    await open(page);

    t.deepEqual(await barriersOn(page), []);
  });
}

async function openCheckout(page: Page) {
  const checkout = await startCheckout(server(), { description: 'Two books', callbackUrl: shop });
  await stayInsteadOf(page, shop);
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

async function payWith(page: Page, number: string, outcome: string): Promise<void> {
  await openCheckout(page);
  await pay(page, { number });
  await sees(page, outcome);
}

/** An answer without content leaves the browser on the page that it comes from, however long that is looked at. */
async function stayInsteadOf(page: Page, address: string): Promise<void> {
  await page.route(`${address}**`, (route) => route.fulfill({ status: 204 }));
}

async function openLive(page: Page): Promise<string> {
  payLiveAt(server(), processorPage);
  await stayInsteadOf(page, processorPage);
  const { liveClient } = await server().createMerchant('Ada’s Books');
  const { data } = await liveClient.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await page.goto(data.checkoutUrl);
  return data.checkoutUrl;
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue to pay' }).click();

const forgeNonce = (page: Page) =>
  page.locator('[name="nonce"]').evaluate((nonce: { value?: string }) => {
    nonce.value = 'forged';
  });
