import type { CheckoutRequest } from '@tillhook/openapi';
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { leaveAttemptUndecided } from '../support/money/payments.ts';
import {
  amexCard,
  customers,
  declinedCard,
  formLabels,
  goodCard,
  merchantSite,
  pay,
  said,
  showAsPrinted,
  startCheckout,
  waitForHeading,
} from '../support/pages/checkout-page.ts';
import { giveLogo } from '../support/pages/merchant-logo.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();

const openPage = browserForFile();

const white = 'rgb(255, 255, 255)';

const none = 'rgba(0, 0, 0, 0)';

test.serial(
  'the printed receipt is black on white, contains the word TEST, and has all details and no button',
  async (t) => {
    const page = await openPage(t, { colorScheme: 'dark' });
    const { checkoutUrl, reference } = await checkout({ callbackUrl: 'https://shop.example.com' });
    await page.goto(checkoutUrl);
    await pay(page, { number: amexCard, cvc: '1234' });
    await waitForHeading(page, 'Payment successful');

    await showAsPrinted(page);

    const paper = await page.locator('body').innerText();
    for (const text of [
      'TEST MODE',
      'Ada’s Books',
      '₦5,000.00',
      'American Express ending in 0005',
      reference,
      '2026',
    ]) {
      t.true(paper.includes(text), `${text} in ${paper}`);
    }
    t.is(await page.locator('button:visible, a:visible, img:visible').count(), 0);
    const colours = await coloursOn(page);
    t.deepEqual(colours.text, ['rgb(0, 0, 0)']);
    t.deepEqual(
      colours.backgrounds.filter((colour) => colour !== white && colour !== none),
      [],
    );
  },
);

async function coloursOn(page: Page): Promise<{ text: string[]; backgrounds: string[] }> {
  return page.evaluate(`(() => {
    const shown = [...document.querySelectorAll('html, body, body *')].filter((each) => each.checkVisibility());
    const styles = shown.map((each) => getComputedStyle(each));
    const all = (of) => [...new Set(styles.map(of))];
    return { text: all(({ color }) => color), backgrounds: all(({ backgroundColor }) => backgroundColor) };
  })()`);
}

test.serial('a customer who prints the receipt is not redirected to the merchant', async (t) => {
  const site = await merchantSite(t);
  const page = await openPage(t, { isNew: true });
  await page.addInitScript('window.print = () => { window.hasPrinted = true; };');
  await page.clock.install();
  const { checkoutUrl } = await checkout({ callbackUrl: `${site}/thanks` });
  await page.goto(checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  await page.getByRole('button', { name: 'Print receipt' }).click();
  await page.clock.runFor('00:10');

  t.true(await page.evaluate('window.hasPrinted'));
  t.true(page.url().startsWith(checkoutUrl));
  await page.getByRole('link', { name: 'Return to Ada’s Books' }).waitFor();
  t.is(await page.getByText('Taking you back').count(), 0);
});

test.serial(
  'after the merchant has cancelled a checkout, its page says that it was cancelled, and not that it expired',
  async (t) => {
    const page = await openPage(t);
    const { checkoutUrl, client, reference } = await checkout();
    await client.payments.cancel(reference);

    await page.goto(checkoutUrl);
    await waitForHeading(page, 'This payment was cancelled');

    const words = await page.getByRole('main').innerText();
    t.regex(words, /Ada’s Books cancelled this payment of ₦5,000\.00\. Nothing was charged\./);
    t.notRegex(words, /expired|failed|declined/i);
  },
);

test.serial(
  'after the customer has cancelled a checkout, its page says that it was cancelled, even when the link is opened later',
  async (t) => {
    const page = await openPage(t);
    const { checkoutUrl } = await checkout();
    await page.goto(checkoutUrl);
    await pay(page, { number: declinedCard });
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await waitForHeading(page, 'You cancelled this payment');

    await page.goto(checkoutUrl);
    await waitForHeading(page, 'You cancelled this payment');

    t.notRegex(await page.getByRole('main').innerText(), /expired|failed|declined/i);
  },
);

const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index + 1}`, quantity: 1, unitAmount: 100 }));

const itemsOf = (page: Page): Locator => page.locator('.line-items');

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

test.serial(
  'on a wide page, a list of six items is shown in full, and 45 items of a list of fifty are collapsed, without script',
  async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 1024, height: 640 } });
    await page.goto((await startCheckout(server(), { amount: 600, lineItems: fifty.slice(0, 6) })).checkoutUrl);
    t.is((await textsOf(page)).length, 6);
    t.is(await itemsOf(page).locator('summary').count(), 0);

    await page.goto((await startCheckout(server(), { amount: 5000, lineItems: fifty })).checkoutUrl);
    const visible = itemsOf(page).getByRole('listitem').filter({ visible: true });
    t.is(await visible.count(), 5);
    await page.getByText('45 more items').click();

    t.is(await visible.count(), 50);
  },
);

const settingsPath = '/api/v1/dashboard/settings';

const linksOn = (page: Page) =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));

test.serial("checkout and receipt have the links from the merchant's settings", async (t) => {
  const page = await openPage(t);
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'));
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 500 });
  await page.goto(data.checkoutUrl);
  t.is(await page.getByRole('navigation').count(), 0);

  const terms = { termsUrl: 'https://shop.example.com/terms?a=1&b=2', supportUrl: 'https://shop.example.com/help' };
  await ada.call(settingsPath, { method: 'PATCH', json: { ...terms, supportEmail: 'a&b@shop.example.com' } });
  await page.reload();
  const expected = [
    ['Terms', 'https://shop.example.com/terms?a=1&b=2'],
    ['Contact Ada’s Books', 'https://shop.example.com/help'],
    ['a&b@shop.example.com', 'mailto:a%26b@shop.example.com'],
  ];
  t.deepEqual(await linksOn(page), expected);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');

  t.deepEqual(await linksOn(page), expected);
  t.is(await page.getByText('Your statement will show').count(), 0);
});

test.serial('the receipt shows the statement descriptor that was set when the payment was created', async (t) => {
  const page = await openPage(t);
  const ada = await signIn(server());
  await ada.call(settingsPath, { method: 'PATCH', json: { statementName: 'ADAS BOOKS' } });
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 500 });
  await page.goto(data.checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');
  t.is(await page.getByText('Your statement will show ADAS BOOKS.').count(), 1);

  await ada.call(settingsPath, { method: 'PATCH', json: { statementName: 'GRACES BOOKS' } });
  await page.goto(data.checkoutUrl);

  await waitForHeading(page, 'Already paid');
  t.is(await page.getByText('Your statement will show ADAS BOOKS.').count(), 1);
});

const checkout = (details?: Partial<CheckoutRequest>, merchantName?: string) =>
  startCheckout(server(), details, merchantName);

const maxAmount = 999_999_999_999;

const amounts: [details: Partial<CheckoutRequest>, amount: string, label?: string, title?: string][] = [
  [{ amount: 500_000 }, '₦5,000.00'],
  [{ amount: 1 }, '₦0.01'],
  [{ amount: maxAmount }, '₦9,999,999,999.99'],
  [{ amount: 1, currency: 'JPY' }, 'JP¥1'],
  [{ amount: 54_000, currency: 'CAD', locale: 'en' }, 'CA$540.00'],
  [
    { amount: 54_000, currency: 'USD', locale: 'es-AR' },
    'US$ 540,00',
    'Pagar US$ 540,00',
    'Pagar US$ 540,00 a Ada’s Books',
  ],
  [{ amount: 54_000, currency: 'SEK', locale: 'en' }, 'SEK 540.00'],
  [{ amount: maxAmount, currency: 'JPY', locale: 'ja' }, '￥999,999,999,999'],
  [{ amount: 1, currency: 'KWD', locale: 'en' }, 'KWD 0.001'],
  [{ amount: maxAmount, currency: 'KWD', locale: 'en' }, 'KWD 999,999,999.999'],
  [
    { amount: 123_456, currency: 'EUR', locale: 'de' },
    '1.234,56 €',
    '1.234,56 € bezahlen',
    '1.234,56 € an Ada’s Books bezahlen',
  ],
  [
    { amount: 123_456, currency: 'EUR', locale: 'fr' },
    '1 234,56 €',
    'Payer 1 234,56 €',
    'Payer 1 234,56 € à Ada’s Books',
  ],
  [
    { amount: 123_456, currency: 'KWD', locale: 'ar-EG' },
    '١٢٣٫٤٥٦ د.ك.',
    'ادفع ١٢٣٫٤٥٦ د.ك.',
    'دفع ١٢٣٫٤٥٦ د.ك. إلى Ada’s Books',
  ],
];

test.serial('each amount is formatted for its currency and the customer’s language', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  for (const [details, amount, label = `Pay ${amount}`, title = `${label} to Ada’s Books`] of amounts) {
    await page.goto((await checkout(details)).checkoutUrl);

    t.is(spoken(await page.locator('[data-card-form] [data-busy]').textContent()), label);
    t.is(spoken(await page.locator('.amount').textContent()), amount);
    t.is(spoken(await page.title()), title);
  }
});

function spoken(text: string | null): string {
  return (text ?? '')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(
    `${customer} whose payment is processing sees the receipt as soon as the payment is completed`,
    async (t) => {
      const { checkoutUrl, accessCode, client, reference } = await startCheckout(server());
      await leaveAttemptUndecided(server(), accessCode);
      const page = await openPage(t, { javaScriptEnabled });
      await page.goto(checkoutUrl);
      await waitForHeading(page, 'Still processing');

      await client.testHelpers.completePayment(reference);

      await t.notThrowsAsync(waitForHeading(page, 'Payment successful'));
    },
  );
}

test.serial('the card form with scripts, a small logo and a colour needs at most 40 KB, even in Arabic', async (t) => {
  for (const [locale, heading] of [
    ['en', 'Payment method'],
    ['ar', 'طريقة الدفع'],
  ] as const) {
    const page = await openPage(t);
    const details = { locale, callbackUrl: 'https://shop.example.com' };
    const { checkoutUrl, reference } = await startCheckout(server(), details);
    await giveLogo(server(), reference);
    await server().database.query(
      "update merchant set colour = '#1f4fbf' where id = (select merchant_id from payment where reference = $1)",
      [reference],
    );
    await page.goto(checkoutUrl, { waitUntil: 'load' });
    await waitForHeading(page, heading);

    const files = await page.evaluate<[string, number][]>(loaded);
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    t.true(files.length > 10, `only ${files.length} files`);
    // The page may have 50 KB, of which 10 KB are reserved for a larger logo.
    t.true(bytes <= 40_000, `${bytes} bytes: ${JSON.stringify(files)}`);
    t.log(locale, bytes);
  }
});

const loaded = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => [name.split('/').pop(), encodedBodySize])`;
