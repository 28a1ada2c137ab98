import type { CheckoutRequest } from '@tillhook/openapi';
import type { Page } from 'playwright-core';
import type { OwnServer } from '../server/tillhook.ts';
import { said, startCheckout, useLiveProcessorAt, waitForHeading } from './checkout-page.ts';
import { giveLogo } from './merchant-logo.ts';

const shop = 'https://shop.example.com/thanks';
export const processorPage = 'https://processor.example.com/pay';

export async function openCheckout(page: Page, server: OwnServer, more: Partial<CheckoutRequest> = {}) {
  const details = { description: 'Two books', callbackUrl: shop, reference: 'order-1042', ...more };
  const checkout = await startCheckout(server, details);
  await stayOnPage(page, shop);
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

export async function openBranded(page: Page, server: OwnServer, colour: string): Promise<void> {
  const details = { description: 'Two books', reference: 'order-1042', callbackUrl: shop };
  const { checkoutUrl, reference } = await startCheckout(server, details);
  await giveLogo(server, reference);
  await server.database.query(
    `update merchant set colour = $1, terms_url = 'https://shop.example.com/terms',
       support_url = 'https://shop.example.com/help', support_email = 'help@shop.example.com', statement_name = 'ADAS BOOKS'
     where id = (select merchant_id from payment where reference = $2 order by id desc limit 1)`,
    [colour, reference],
  );
  await stayOnPage(page, shop);
  await page.goto(checkoutUrl);
  await waitForHeading(page, said('methods.heading'));
}

/** Answers 204 to this URL, so that the browser stays on its page. */
async function stayOnPage(page: Page, address: string): Promise<void> {
  await page.route(`${address}**`, (route) => route.fulfill({ status: 204 }));
}

export async function openLive(page: Page, server: OwnServer, address: string | null = processorPage): Promise<string> {
  useLiveProcessorAt(server, address);
  await stayOnPage(page, processorPage);
  const { liveClient } = await server.createMerchant('Ada’s Books');
  const details = { email: 'ada@example.com', amount: 500_000, reference: 'order-1042' };
  const { data } = await liveClient.checkout.create(details);
  await page.goto(data.checkoutUrl);
  return data.checkoutUrl;
}

export const continueToPay = (page: Page) => page.locator('.pay form .primary').click();

export const forgeNonce = (page: Page) =>
  page
    .locator('[name="nonce"]')
    .first()
    .evaluate((nonce: { value?: string }) => {
      nonce.value = 'forged';
    });
