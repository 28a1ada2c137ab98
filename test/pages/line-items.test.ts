/** The line items of a payment, as its customer sees them on the checkout and on the receipt. */
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { formLabels, goodCard, pay, said, startCheckout, waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index + 1}`, quantity: 1, unitAmount: 100 }));

const itemsOf = (page: Page): Locator => page.locator('.line-items');

/** The visible items of the list as texts, with usual spaces. */
async function textsOf(page: Page): Promise<string[]> {
  const texts = await itemsOf(page).getByRole('listitem').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

test.serial('checkout and receipt show name, quantity and total of each item, in the customer’s format', async (t) => {
  const page = await openPage(t);
  const { checkoutUrl } = await startCheckout(server(), {
    amount: 123_456,
    currency: 'EUR',
    locale: 'de',
    lineItems: [
      { name: 'Buch <b>"1"</b>', quantity: 1200, unitAmount: 100 },
      { name: 'كتاب', quantity: 1, unitAmount: 3456 },
    ],
  });
  const expected = ['Buch <b>"1"</b> 1.200 × 1,00 € 1.200,00 €', 'كتاب 34,56 €'];

  await page.goto(checkoutUrl);
  t.is(await page.getByRole('group', { name: 'Artikel' }).count(), 1);
  t.deepEqual(await textsOf(page), expected);
  await pay(page, { number: goodCard }, formLabels('de'));
  await waitForHeading(page, said('paid.heading', 'de'));

  t.deepEqual(await textsOf(page), expected);
});

test.serial('a checkout without items has no list', async (t) => {
  const page = await openPage(t);
  await page.goto((await startCheckout(server())).checkoutUrl);

  t.is(await itemsOf(page).count(), 0);
});

test.serial('six items are all shown, and of fifty items 45 are folded, also without script', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
  await page.goto((await startCheckout(server(), { amount: 600, lineItems: fifty.slice(0, 6) })).checkoutUrl);
  t.is((await textsOf(page)).length, 6);
  t.is(await itemsOf(page).locator('summary').count(), 0);

  await page.goto((await startCheckout(server(), { amount: 5000, lineItems: fifty })).checkoutUrl);
  const visible = itemsOf(page).getByRole('listitem').filter({ visible: true });
  t.is(await visible.count(), 5);
  await page.getByText('45 more items').click();

  t.is(await visible.count(), 50);
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
