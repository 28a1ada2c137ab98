import type { PaymentLinkRequest } from '@tillhook/openapi';
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';

export async function openLink(page: Page, server: TestServer, more: Partial<PaymentLinkRequest>) {
  const merchant = await server.createMerchant('Ada’s Books');
  const { client } = merchant;
  const details = { name: 'Spring fundraiser', description: 'For new shelves in the reading room.\nThank you!' };
  const link = await client.paymentLinks.create({ ...details, ...more });
  await page.goto(link.url);
  return { merchant, client, link };
}

export async function openProductLink(page: Page, server: TestServer) {
  const { client } = await server.createMerchant('Ada’s Books');
  const { id: productId } = await client.products.create({ name: 'Paperback atlas', price: 150_000, stock: 12 });
  const link = await client.paymentLinks.create({ name: 'The atlas of the year', productId, maxQuantity: 5 });
  await page.goto(link.url);
  return { client, link };
}

/** Without `novalidate`, the browser would keep the form and show its own messages. */
export async function sendInvalidForm(page: Page): Promise<void> {
  await page.locator('form').evaluate((form: { noValidate?: boolean }) => {
    form.noValidate = true;
  });
  await page.locator('form .primary').click();
}
