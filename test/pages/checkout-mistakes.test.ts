/** What customers type, mistype and miss. */
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { focusedSummary, goodCard, pay, startCheckout, waitForHeading } from '../support/pages/checkout-page.ts';
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

const wrongNumber = 'Check the card number; a digit is wrong or missing';

const wrongExpiry = 'Enter the expiry date as month and year, such as 09 / 30';

async function openForm(page: Page) {
  const checkout = await startCheckout(server());
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

const hasFocus = (page: Page, label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();

const messages = (page: Page) => page.locator('.field-error:visible').allTextContents();

/** Types into a field without leaving it. */
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.type(text);
}

/** Types the text at the end of what the field has. */
async function addTo(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
}

for (const [brand, digits, number, code] of [
  ['Visa', '4242424242424242', '4242 4242 4242 4242', '987'],
  ['Mastercard', '5555555555554444', '5555 5555 5555 4444', '987'],
  ['American Express', '378282246310005', '3782 822463 10005', '9876'],
] as const) {
  test.serial(`the cursor goes on when a field of a ${brand} card is full, and never earlier`, async (t) => {
    const page = await openPage(t);
    const { payment } = await openForm(page);

    await typeInto(page, 'Card number', digits.slice(0, -1));
    await hasFocus(page, 'Card number');
    await page.keyboard.type(digits.slice(-1));
    await hasFocus(page, 'Expiry date');
    t.is(await page.getByLabel('Card number').inputValue(), number);
    await page.keyboard.type('124');
    await hasFocus(page, 'Expiry date');
    await page.keyboard.type('0');
    await hasFocus(page, 'Security code');
    await page.keyboard.type(code.slice(0, -1));
    await hasFocus(page, 'Security code');
    await page.keyboard.type(code.slice(-1));
    await hasFocus(page, 'Name on card');
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Payment successful');

    await page.getByText(`${brand} ending in ${digits.slice(-4)}`).waitFor();
    t.like(await payment(), { status: 'completed', paymentMethod: { last4: digits.slice(-4) } });
  });
}

test.serial('a field is judged when it is left, not while it is typed, and again while it is corrected', async (t) => {
  const page = await openPage(t);
  await openForm(page);

  await typeInto(page, 'Card number', '424242424242424');
  t.deepEqual(await messages(page), []);
  await page.keyboard.press('Tab');
  t.deepEqual(await messages(page), [wrongNumber]);
  await page.keyboard.type('1340');
  t.deepEqual(await messages(page), [wrongNumber]);
  await page.keyboard.press('Tab');
  t.deepEqual(await messages(page), [wrongNumber, wrongExpiry]);
  await addTo(page, 'Card number', '1');
  t.deepEqual(await messages(page), [wrongNumber, wrongExpiry]);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');

  t.deepEqual(await messages(page), [wrongExpiry]);
  t.is(await page.getByLabel('Card number').getAttribute('aria-invalid'), null);
});

test.serial('screen readers are told of the mistakes once, and again only when they are others', async (t) => {
  const page = await openPage(t);
  await openForm(page);
  // Each change inside a live region is announced.
  await page.evaluate(`{
    window.announced = 0;
    for (const region of document.querySelectorAll('[role="alert"], [role="status"], [aria-live]')) {
      new MutationObserver(() => { window.announced += 1; }).observe(region, { childList: true, characterData: true, subtree: true });
    }
  }`);
  const announced = () => page.evaluate('window.announced');
  const send = () => page.getByRole('button', { name: /^Pay / }).click();

  await typeInto(page, 'Card number', '42');
  await page.keyboard.press('Tab');
  t.deepEqual(await messages(page), [wrongNumber]);
  t.is(await announced(), 0);
  await send();
  await focusedSummary(page).waitFor();
  t.is(await announced(), 1);
  await send();
  await focusedSummary(page).waitFor();
  t.is(await announced(), 1);
  await page.getByLabel('Name on card').fill('Ada Lovelace');
  await send();

  t.is(await announced(), 2);
  t.is(await page.locator('[role="alert"] .field-error, .field-error[role], .field-error[aria-live]').count(), 0);
  t.is(await page.locator('[role="alert"][tabindex]').count(), 0);
});

const asOthersFill = [
  { label: 'Expiry date', text: '2030-12', is: '12 / 30' },
  { label: 'Expiry date', text: '2030/12', is: '12 / 30' },
  { label: 'Expiry date', text: '203012', is: '12 / 30' },
  { label: 'Expiry date', text: ' 12/30 ', is: '12 / 30' },
  { label: 'Expiry date', text: '٢٠٣٠-١٢', is: '12 / 30' },
  { label: 'Security code', text: ' 123', is: '123' },
  { label: 'Security code', text: '1 2 3 4', is: '123' },
  { label: 'Security code', text: ' ٩٨٧ ', is: '987' },
  { label: 'Card number', text: `        ${goodCard} `, is: goodCard },
  { label: 'Card number', text: '4242-4242-4242-4242', is: goodCard },
  { label: 'Name on card', text: 'Studio 54 GmbH', is: 'Studio 54 GmbH' },
];

test.serial('without script, the form takes the same, and refuses a card number as a name', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  const { payment } = await openForm(page);
  for (const { label, text } of asOthersFill.filter(({ text }) => text !== '1 2 3 4')) {
    const field = page.getByLabel(label);
    await field.fill('');
    await field.focus();
    await page.keyboard.insertText(text);
  }
  const name = page.getByLabel('Name on card');
  await name.fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: /^Pay / }).click();
  t.is((await payment()).status, 'pending');
  await name.fill('شركة ٧ نجوم');
  await page.getByLabel('Expiry date').fill('2030-12');

  await page.getByRole('button', { name: /^Pay / }).click();

  await waitForHeading(page, 'Payment successful');
  t.is((await payment()).status, 'completed');
});

test.serial('every field, button and group has a name for screen readers', async (t) => {
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
  for (const name of ['Your payment', 'Pay with card']) {
    t.is(await page.getByRole('region', { name, exact: true }).count(), 1, name);
  }
  // The pictures of brands are hidden, because the text names the brands too.
  t.is(await page.getByRole('img').count(), 0);
});

test.serial('a customer can pay with the keyboard alone', async (t) => {
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
