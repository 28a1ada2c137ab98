/** The checkout with the longest words and amounts, every brand of card, and every mistake. */
import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import {
  amexCard,
  declinedCard,
  type fillIn,
  focusedSummary,
  goodCard,
  pay,
  startCheckout,
  threeDSecureCard,
  waitForHeading,
} from '../../support/pages/checkout-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

const most = 999_999_999_999;

test.serial('the receipt of the largest amount has the same words', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout({ amount: most, currency: 'KWD', locale: 'de' })).checkoutUrl);

  await page.locator('summary').click();
  await page.getByRole('button', { name: 'Karte 4242 4242 4242 4242 nutzen: Erfolgreich' }).click();
  await page.getByRole('button', { name: 'bezahlen' }).click();
  await waitForHeading(page, 'Zahlung erfolgreich');

  t.is(spoken(await page.getByRole('definition').first().textContent()), '999.999.999,999 KWD');
});

test.serial('the receipt says which dollars were paid', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout({ amount: 54_000, currency: 'CAD', locale: 'en' })).checkoutUrl);

  await page.locator('summary').click();
  await page.getByRole('button', { name: /4242 4242 4242 4242/ }).click();
  await page.getByRole('button', { name: 'Pay CA$540.00' }).click();
  await waitForHeading(page, 'Payment successful');

  t.regex(spoken(await page.getByRole('main').textContent()), /You paid CA\$540\.00 to Ada’s Books/);
});

test.serial('the date and the code stand on one line, also when one of their labels needs two', async (t) => {
  const page = await openPage(t);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto((await checkout({ locale: 'pt-BR' })).checkoutUrl);
  await page.getByRole('button', { name: 'Pagar' }).click();
  await focusedSummary(page);

  const [label, expiry, code] = await Promise.all(
    ['label[for=cvc]', '#expiry', '#cvc'].map((selector) => page.locator(selector).boundingBox()),
  );

  t.true((label?.height ?? 0) > 30, 'the label needs two lines');
  t.is(expiry?.y, code?.y);
  t.not(expiry?.x, code?.x);
});

/** Removes marks of direction, and replaces all kinds of spaces by the usual one. */
function spoken(text: string | null): string {
  return (text ?? '')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const long: Partial<CheckoutRequest> = {
  amount: most,
  currency: 'KWD',
  email: `${'a.very.long.name.'.repeat(3)}x@${'subdomain.'.repeat(4)}example.com`,
  description: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(3).trim(),
};

test.serial('the longest words fit a page of 320 pixels in every state', async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  const merchant = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Töchter';

  await page.goto((await checkout({ ...long, reference: 'x'.repeat(64) }, merchant)).checkoutUrl);
  await fits(page, 'Pay with card');
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('alert').waitFor();
  await fits(page, 'Pay with card');
  await pay(page, { number: declinedCard });
  await fits(page, 'Payment declined');
  await page.getByRole('link', { name: 'Try again' }).click();
  await pay(page, { number: threeDSecureCard });
  await fits(page, 'Confirm it is you');
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await fits(page, 'Payment successful');

  async function fits(shown: Page, heading: string) {
    await waitForHeading(shown, heading);
    const { scrollWidth, clientWidth } = await shown
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    t.is(scrollWidth, clientWidth, heading);
  }
});

test.serial('the test cards say what a payment and a refund do, as the documentation does', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout()).checkoutUrl);
  const docs = await (await fetch(`${server().url}/docs/test-cards`)).text();

  await page.getByRole('link', { name: 'Use a test card' }).click();
  for (const [number, says] of [
    ['3782 822463 10005', 'Succeeds'],
    ['4242 4242 4242 4242', 'Succeeds'],
    ['4000 0000 0000 3220', 'Asks for 3-D Secure'],
    ['4000 0000 0000 7726', 'Succeeds; a refund completes after 30 seconds'],
    ['4000 0000 0000 5126', 'Succeeds; a refund fails after 30 seconds'],
  ] as const) {
    const item = page.getByRole('listitem').filter({ hasText: number });
    t.is(await item.locator('.test-outcome').innerText(), says);
    const row = docs.split('<tr>').find((each) => each.includes(number)) ?? '';
    t.true(row.includes(`>${says}</td>`), row);
  }
});

test.serial('the picture of the card’s brand follows the typed number without moving the layout', async (t) => {
  const page = await openPage(t);
  await page.goto((await checkout()).checkoutUrl);
  const number = page.getByLabel('Card number');
  const mark = async () =>
    /card-(\w+)\.svg/.exec((await page.locator('[data-marks] img:visible').getAttribute('src')) ?? '')?.[1];
  const place = await number.boundingBox();

  for (const [typed, brand] of [
    ['', 'unknown'],
    ['4', 'visa'],
    ['55', 'mastercard'],
    ['2221', 'mastercard'],
    ['2220', 'unknown'],
    ['34', 'amex'],
    ['37', 'amex'],
    ['35', 'unknown'],
  ] as const) {
    await number.fill(typed);
    t.is(await mark(), brand, typed);
  }
  t.deepEqual(await number.boundingBox(), place);
});

test.serial('a customer can use a test card with the keyboard, also after mistakes', async (t) => {
  const { checkoutUrl, payment } = await checkout();
  const page = await openPage(t);
  await page.goto(checkoutUrl);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('alert').waitFor();
  t.regex(await page.title(), /^Error: Pay/);

  await page.getByRole('link', { name: 'Use a test card' }).press('Enter');
  await page.getByRole('button', { name: 'Use the card 4000 0000 0000 3220: Asks for 3-D Secure' }).press('Enter');
  await page.getByRole('button', { name: 'Pay ₦5,000.00' }).and(page.locator(':focus')).waitFor();
  t.regex(await page.title(), /^Pay/);
  t.is(await page.locator('[aria-invalid]').count(), 0);
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Confirm it is you');

  t.like(await payment(), { paymentMethod: { last4: '3220' } });
});

const wrongCards: [string, Partial<Parameters<typeof fillIn>[1]>, string][] = [
  [
    'a card that is no test card',
    { number: '4111 1111 1111 1111' },
    'Use one of the test cards; a real card is never charged here',
  ],
  [
    'a number with a wrong digit',
    { number: '4242 4242 4242 4241' },
    'Check the card number; a digit is wrong or missing',
  ],
  ['a date that has passed', { expiry: '01 / 20' }, 'This card has expired; check the date or use another card'],
  ['no date', { expiry: '' }, 'Enter the expiry date'],
  ['a code of two digits', { cvc: '12' }, 'The security code of this card is the 3 digits on its back'],
  [
    'a code of three digits for American Express',
    { number: amexCard, cvc: '123' },
    'The security code of an American Express card is the 4 digits on its front',
  ],
  ['no name', { name: '' }, 'Enter the name on the card'],
];

test.serial(
  'the server has different words for each mistake, and the title of the page says that there is one',
  async (t) => {
    const { checkoutUrl, payment } = await checkout();
    const page = await openPage(t, { javaScriptEnabled: false });

    for (const [what, typed, words] of wrongCards) {
      await page.goto(checkoutUrl);
      await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
      await pay(page, { number: goodCard, ...typed });

      await focusedSummary(page).waitFor();
      t.deepEqual(await page.getByRole('alert').getByRole('link').allTextContents(), [words], what);
      t.regex(await page.title(), /^Error: Pay/);
    }

    t.is((await payment()).attempts, 0);
  },
);

const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index + 1}`, quantity: 1, unitAmount: 100 }));

const itemsOf = (page: Page): Locator => page.locator('.line-items');

test.serial('a checkout without items has no list', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server())).checkoutUrl);

  t.is(await itemsOf(page).count(), 0);
});

test.serial('a printed receipt has all items', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server(), { amount: 5000, lineItems: fifty })).checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await page.emulateMedia({ media: 'print' });

  t.true(await page.getByText('Item 50', { exact: true }).isVisible());
});

test.serial('the longest names and totals fit a page of 320 pixels', async (t) => {
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  const name = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz '.repeat(4).slice(0, 200);
  const lineItems = [
    { name, quantity: 1, unitAmount: 999_999_990_000 },
    { ...fifty[0], name: 'x'.repeat(200), quantity: 9999, unitAmount: 1 },
  ];
  await page.goto((await startCheckout(server(), { amount: 999_999_999_999, currency: 'KWD', lineItems })).checkoutUrl);

  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  t.is(scrollWidth, clientWidth);
});
