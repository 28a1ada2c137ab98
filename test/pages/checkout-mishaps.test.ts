import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import {
  declinedCard,
  expireCheckout,
  focusedSummary,
  goodCard,
  pay,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

test.serial('a mistake is named beside its field and in the focused summary, and no card is sent', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));

  await page.goto(checkoutUrl);
  await pay(page, { number: '4111 1111 1111 1111', expiry: '01 / 20', cvc: '1', name: '' });

  t.deepEqual(await mistakesOn(page), [
    'Use one of the test cards; a real card is never charged here',
    'This card has expired; check the date or use another card',
    'The security code of this card is the 3 digits on its back',
    'Enter the name on the card',
  ]);
  t.deepEqual(sent, []);
  t.is((await payment()).attempts, 0);
});

test.serial(
  'the server names the same mistakes if the browser has not, and never returns the card number',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t, { javaScriptEnabled: false });

    await page.goto(checkoutUrl);
    await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await pay(page, { number: '4111 1111 1111 1111', expiry: '01 / 20', cvc: '987', name: 'Ada Lovelace' });

    t.is((await answer).status(), 422);
    t.deepEqual(await mistakesOn(page), [
      'Use one of the test cards; a real card is never charged here',
      'This card has expired; check the date or use another card',
    ]);
    t.false(/4111 ?1111/.test(await page.content()));
    t.is(await page.getByLabel('Card number').inputValue(), '');
    t.is(await page.getByLabel('Security code').inputValue(), '');
    t.is(await page.getByLabel('Name on card').inputValue(), 'Ada Lovelace');
    t.is((await payment()).attempts, 0);
  },
);

/** Returns the lines of the summary. Checks that it has the focus, and that each line also stands beside its field. */
async function mistakesOn(page: Page): Promise<string[]> {
  const summary = focusedSummary(page);
  await summary.waitFor();
  const links = summary.getByRole('link');
  for (const link of await links.all()) {
    const field = page.locator(`input${await link.getAttribute('href')}`);
    const description = page.locator(`#${await field.getAttribute('aria-describedby')}`);
    await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    await description.filter({ hasText: (await link.textContent()) ?? '', visible: true }).waitFor();
  }
  return links.allTextContents();
}

test.serial('an unknown access code gives a page that says so, with the status 404', async (t) => {
  const page = await openPage(t);

  for (const accessCode of ['3f0e7a52-9c1d-4b8e-8a6f-0d2b4c6e8f10', 'nonsense', '%3Cb%3E', '%E0%A4%A']) {
    const response = await page.goto(`${server().url}/checkout/${accessCode}`);

    t.is(response?.status(), 404, accessCode);
    await waitForHeading(page, 'Payment not found');
  }
});

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

test.serial('an open form counts its last minutes down, and then says that the time is over', async (t) => {
  const { checkoutUrl, accessCode } = await checkout({ expiresIn: 11 * 60 });
  const page = await openPage(t);
  await page.clock.install();
  await page.goto(checkoutUrl);
  // The clock of the server stays as it is, so the server's time left would undo what the page counted.
  await page.route(checkoutUrl, (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()));
  t.false(await page.getByRole('timer').isVisible());

  await page.clock.runFor('03:00');
  await page
    .getByRole('timer')
    .getByText(/^[78]:\d\d$/)
    .waitFor();
  // By SQL and not by `testAdvanceTime`, so that the page itself finds that the time is over.
  await server().database.query('update payment set expires_at = now() where access_code = $1', [accessCode]);
  await page.clock.runFor('10:00');

  await t.notThrowsAsync(waitForHeading(page, 'This link has expired'));
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

test.serial('texts of merchant and customer with markup are shown as text', async (t) => {
  const description = '<img src=x onerror="alert(1)"> & <b>two</b> "tickets"';
  const email = "ada&lt'b@example.com";
  const merchant = '</span><script>alert(2)</script>';
  const { checkoutUrl } = await checkout({ description, email }, merchant);
  const page = await openPage(t);
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    return dialog.dismiss();
  });

  await page.goto(checkoutUrl);
  t.is(await page.title(), `Pay ₦5,000.00 to ${merchant}`);
  const written = [await page.getByRole('main').textContent()];
  await pay(page, { number: goodCard, name: '<b>Ada</b>' });
  await waitForHeading(page, 'Payment successful');
  written.push(await page.getByRole('main').textContent());

  for (const text of written) for (const words of [description, email, merchant]) t.true(text?.includes(words), words);
  t.is(await page.locator('img:not(.card-mark, .foot img), b, main script').count(), 0);
});

test.serial('every page loads only from its own origin and breaks no rule of its security policy', async (t) => {
  const asked = new Set<string>();
  const page = await openPage(t);
  const violations: string[] = [];
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  const { checkoutUrl } = await checkout();

  await page.goto(`${server().url}/checkout/nonsense`);
  const answer = await page.goto(checkoutUrl);
  await pay(page, { number: declinedCard });
  await waitForHeading(page, 'Payment declined');
  await page.getByRole('link', { name: 'Try again' }).click();
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.deepEqual([...asked], [server().url]);
  t.deepEqual(violations, []);
  t.regex(answer?.headers()['content-security-policy'] ?? '', /default-src 'none'.*script-src 'self'(;|$)/);
});
