import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { clickTwice, focusedSummary, waitForHeading } from '../support/pages/checkout-page.ts';
import { liveCheckout, newestSession, sendStripeEvent, stripe } from '../support/processors/live-payments.ts';

const openPage = browserForFile();

for (const [customer, javaScriptEnabled] of [
  ['a customer', true],
  ['a customer without JavaScript', false],
] as const) {
  test.serial(`${customer} is sent to Stripe, pays there, and sees the receipt here`, async (t) => {
    const { checkoutUrl, payment } = await liveCheckout();
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(checkoutUrl);
    t.is(await page.getByLabel('Card number').count(), 0);
    t.is(await page.getByText('Test mode').count(), 0);
    await page.getByRole('button', { name: 'Continue to pay ₦5,000.00' }).click();
    await waitForHeading(page, 'Stripe, or so it says');
    await page.getByRole('button', { name: 'Pay' }).click();
    await waitForHeading(page, 'Payment successful');

    await page.getByText('Visa ending in 4242').waitFor();
    t.like(await payment(), { status: 'completed', attempts: 1, mode: 'live' });
  });

  test.serial(`${customer} comes back from Stripe without paying, and goes there again`, async (t) => {
    const { checkoutUrl, payment } = await liveCheckout();
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(checkoutUrl);
    await page.getByRole('button', { name: /^Continue to pay/ }).click();
    await page.getByRole('link', { name: 'Back' }).click();
    const again = page.getByRole('button', { name: /^Continue to pay/ });
    await again.waitFor();
    t.like(await payment(), { status: 'pending', attempts: 0 });
    await again.click();
    await page.getByRole('button', { name: 'Pay' }).click();

    await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
  });
}

test.serial('a customer who opens the link again can continue or start again', async (t) => {
  const { checkoutUrl, payment } = await liveCheckout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await page.getByRole('button', { name: /^Continue to pay/ }).click();
  await waitForHeading(page, 'Stripe, or so it says');

  await page.goto(checkoutUrl);
  await waitForHeading(page, 'Your payment is waiting');
  await page.getByRole('link', { name: 'Continue to pay' }).click();
  await waitForHeading(page, 'Stripe, or so it says');
  await page.goto(checkoutUrl);
  await page.getByRole('link', { name: 'Start again' }).click();
  await waitForHeading(page, 'Pay with card');

  t.like(await payment(), { status: 'pending', attempts: 0 });
});

test.serial(
  'a customer who comes back before the verdict sees a page that shows the receipt without a reload',
  async (t) => {
    const { checkoutUrl } = await liveCheckout();
    const page = await openPage(t);
    await page.goto(checkoutUrl);
    await page.getByRole('button', { name: /^Continue to pay/ }).click();
    await waitForHeading(page, 'Stripe, or so it says');

    await page.goto(`${checkoutUrl}?step=sent`);
    await waitForHeading(page, 'Still processing');
    const session = stripe.pay(newestSession());
    await sendStripeEvent('checkout.session.completed', session);

    await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
  },
);

test.serial('a second click starts no second attempt', async (t) => {
  const { checkoutUrl, payment } = await liveCheckout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);

  const posts = await clickTwice(page, page.getByRole('button', { name: 'Continue to pay' }));
  await waitForHeading(page, 'Stripe, or so it says');

  t.is(posts(), 1);
  t.like(await payment(), { attempts: 1 });
});

test.serial('a forged form is refused with a message and starts no attempt', async (t) => {
  const { checkoutUrl, payment } = await liveCheckout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await page.locator('[name="nonce"]').evaluate((nonce: { value?: string }) => {
    nonce.value = 'forged';
  });

  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Continue to pay' }).click();

  t.is((await answer).status(), 422);
  await focusedSummary(page).waitFor();
  t.regex(await page.title(), /^Error: Pay/);
  t.like(await payment(), { status: 'pending', attempts: 0 });
});
