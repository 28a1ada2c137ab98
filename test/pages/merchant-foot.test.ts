/** The merchant's links at the foot of the pages, and what the receipt says about the customer's statement. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { goodCard, pay, waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const openPage = browserForFile();
const path = '/api/v1/dashboard/settings';

const linksOn = (page: Page) =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));

test.serial('checkout and receipt have the links that the merchant filled in', async (t) => {
  const page = await openPage(t);
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'));
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 500 });
  await page.goto(data.checkoutUrl);
  t.is(await page.getByRole('navigation').count(), 0);

  const terms = { termsUrl: 'https://shop.example.com/terms?a=1&b=2', supportUrl: 'https://shop.example.com/help' };
  await ada.call(path, { method: 'PATCH', json: { ...terms, supportEmail: 'a&b@shop.example.com' } });
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

test.serial('the receipt keeps the name on statements that the payment was made with', async (t) => {
  const page = await openPage(t);
  const ada = await signIn(server());
  await ada.call(path, { method: 'PATCH', json: { statementName: 'ADAS BOOKS' } });
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 500 });
  await page.goto(data.checkoutUrl);
  await pay(page, { number: goodCard });
  await waitForHeading(page, 'Payment successful');
  t.is(await page.getByText('Your statement will show ADAS BOOKS.').count(), 1);

  await ada.call(path, { method: 'PATCH', json: { statementName: 'GRACES BOOKS' } });
  await page.goto(data.checkoutUrl);

  await waitForHeading(page, 'Already paid');
  t.is(await page.getByText('Your statement will show ADAS BOOKS.').count(), 1);
});
