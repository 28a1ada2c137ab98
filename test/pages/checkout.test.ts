import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { languages, payInLanguage, type Sentences } from '../support/pages/checkout-languages.ts';
import {
  clickTwice,
  customers,
  focusedSummary,
  goodCard,
  merchantSite,
  pay,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { confirmStep, mainWays, otherWays, reachBankStep, refuseStep } from '../support/pages/ways-of-customers.ts';
import { liveCheckout, newestSession, sendStripeEvent, stripe } from '../support/processors/live-payments.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
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
    for (const text of ['₦5,000.00', 'Ada’s Books', reference, 'Visa ending in 4242', 'ada@example.com']) {
      t.true(receipt.includes(text), text);
    }
    t.like(await payment(), { status: 'completed', attempts: 1, paymentMethod: { brand: 'visa', last4: '4242' } });
    const [delivery] = await receiver.waitFor(1);
    t.is(delivery?.verification, 'verified');
    t.like(JSON.parse(String(delivery?.body)), { event: 'checkout.success', data: { reference, amount: 500_000 } });
    await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.successCount, 1);
    t.is(receiver.deliveries.length, 1);
  });
}

test.serial(
  'a customer makes a mistake, is declined and then pays, in Arabic, right to left, at a width of 320 pixels',
  async (t) => {
    const said = languages.find(({ dir }) => dir === 'rtl') as Sentences;
    const page = await openPage(t, { viewport: { width: 320, height: 640 } });

    await payInLanguage(t, page, { server: server(), said });
  },
);

test.serial(
  "a customer who has paid is redirected to the merchant with the payment's reference and status",
  async (t) => {
    const site = await merchantSite(t);
    const { checkoutUrl, reference } = await checkout({ callbackUrl: `${site}/thanks?cart=7` });
    const page = await openPage(t, { isNew: true });
    await page.clock.install();

    await page.goto(checkoutUrl);
    await pay(page, { number: goodCard });
    await waitForHeading(page, 'Payment successful');
    await page.clock.runFor('00:06');
    await waitForHeading(page, 'Back at the shop');

    t.is(page.url(), `${site}/thanks?cart=7&reference=${reference}&status=completed`);
  },
);

for (const [titleFor, walk] of [...mainWays, ...otherWays]) {
  test.serial(titleFor('a customer'), async (t) => walk(t, await openPage(t), server()));
}

for (const [titleFor, walk] of mainWays) {
  test.serial(titleFor('a customer without JavaScript'), async (t) =>
    walk(t, await openPage(t, { javaScriptEnabled: false }), server()),
  );
}

test.serial(
  'when a 3-D Secure step was answered in one tab, it cannot be answered differently in another tab',
  async (t) => {
    const page = await openPage(t);
    const { checkoutUrl, payment } = await reachBankStep(page, server());
    const tab = await page.context().newPage();
    await tab.goto(checkoutUrl);
    await confirmStep(page).click();
    await waitForHeading(page, 'Payment successful');

    await refuseStep(tab).click();
    await waitForHeading(tab, 'Payment successful');

    t.like(await payment(), { status: 'completed', attempts: 1 });
  },
);

test.serial('an unknown access code gets 404 and an HTML page', async (t) => {
  const page = await openPage(t);

  for (const accessCode of ['3f0e7a52-9c1d-4b8e-8a6f-0d2b4c6e8f10', 'nonsense', '%3Cb%3E', '%E0%A4%A']) {
    const response = await page.goto(`${server().url}/checkout/${accessCode}`);

    t.is(response?.status(), 404, accessCode);
    await waitForHeading(page, 'Payment not found');
  }
});

test.serial(
  'an open form counts down the last minutes before the payment expires, and then says that the payment has expired',
  async (t) => {
    const { checkoutUrl, accessCode } = await checkout({ expiresIn: 11 * 60 });
    const page = await openPage(t, { isNew: true });
    await page.clock.install();
    await page.goto(checkoutUrl);
    // Only the clock of the page is moved, so a response of the server would undo the page's countdown.
    await page.route(checkoutUrl, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.abort(),
    );
    t.false(await page.getByRole('timer').isVisible());

    await page.clock.runFor('03:00');
    await page
      .getByRole('timer')
      .getByText(/^[78]:\d\d$/)
      .waitFor();
    // The test changes the expiry by SQL and not with `testAdvanceTime`, so that the page itself has to notice that the
    // time has run out.
    await server().database.query('update payment set expires_at = now() where access_code = $1', [accessCode]);
    await page.clock.runFor('10:00');

    await t.notThrowsAsync(waitForHeading(page, 'This link has expired'));
  },
);

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} unfolds the items on a phone, and always sees them on a wide screen`, async (t) => {
    const lineItems = ['Atlas', 'Notebook'].map((name) => ({ name, quantity: 1, unitAmount: 250_000 }));
    const { checkoutUrl } = await checkout({ lineItems });
    const page = await openPage(t, { javaScriptEnabled, viewport: { width: 390, height: 800 } });
    await page.goto(checkoutUrl);
    const fold = page.locator('summary').filter({ hasText: 'Items (2)' });
    const isShown = () => page.getByText('Atlas').isVisible();

    t.regex(await fold.innerText(), /₦5,000\.00/);
    t.false(await isShown());
    await fold.click();
    t.true(await isShown());
    await fold.click();
    t.false(await isShown());
    await page.setViewportSize({ width: 1280, height: 800 });
    t.true(await isShown());
    t.false(await fold.isVisible());
  });
}

test.serial('every field, button and group has an accessible name', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout({ callbackUrl: 'https://shop.example.com' })).checkoutUrl);

  for (const name of ['Card number', 'Expiry date', 'Security code', 'Name on card']) {
    t.is(await page.getByRole('textbox', { name, exact: true }).count(), 1, name);
  }
  t.deepEqual(
    await page.getByRole('textbox').evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete'))),
    ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'],
  );
  t.is(await page.getByRole('button', { name: 'Pay ₦5,000.00', exact: true }).count(), 1);
  t.is(await page.getByRole('link', { name: 'Return to Ada’s Books without paying', exact: true }).count(), 1);
  t.is(await page.locator('summary').innerText(), 'Test cards');
  for (const name of ['Your payment', 'Payment method']) {
    t.is(await page.getByRole('region', { name, exact: true }).count(), 1, name);
  }
  // The logos of the brands are hidden from screen readers, because the text names the brands too.
  t.is(await page.getByRole('img').count(), 0);
});

test.serial('a customer can pay with only the keyboard', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  const { keyboard } = page;
  const typeInto = async (label: string, text: string) => {
    await keyboard.press('Tab');
    await page.getByLabel(label).and(page.locator(':focus')).waitFor();
    await keyboard.type(text);
  };

  await keyboard.press('Tab');
  await page.getByRole('link', { name: 'Use a test card' }).and(page.locator(':focus')).waitFor();
  await keyboard.press('Tab');
  await page.getByRole('radio', { name: 'Card' }).and(page.locator(':focus')).waitFor();
  await typeInto('Card number', '4242424242424242');
  await keyboard.type('1240987Ada Lovelace');
  t.is(await page.getByLabel('Card number').inputValue(), goodCard);
  t.is(await page.getByLabel('Expiry date').inputValue(), '12 / 40');
  t.is(await page.getByLabel('Security code').inputValue(), '987');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await waitForHeading(page, 'Payment successful');

  t.like(await payment(), { status: 'completed' });
});

for (const [customer, javaScriptEnabled] of [
  ['a customer', true],
  ['a customer without JavaScript', false],
] as const) {
  test.serial(`${customer} is redirected to Stripe, pays there, and sees the receipt on our page`, async (t) => {
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

  test.serial(`${customer} returns from Stripe without paying, and goes to Stripe again`, async (t) => {
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

test.serial(
  'a customer who opens the checkout link again can continue the payment at Stripe or start again',
  async (t) => {
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
  },
);

test.serial(
  'a customer who returns before the verdict sees a page that becomes the receipt without a reload',
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

test.serial('a second click on the button that leads to Stripe starts no second attempt', async (t) => {
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
