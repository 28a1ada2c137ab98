import { createServer } from 'node:http';
import type { CheckoutRequest } from '@tillhook/openapi';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { TestServer } from './tillhook.ts';

export const works = '4242 4242 4242 4242';
export const declined = '4000 0000 0000 0002';

/** A payment that waits for its customer. */
export async function startCheckout(
  server: TestServer,
  details: Partial<CheckoutRequest> = {},
  merchantName = 'Ada’s Books',
) {
  const { client } = await server.createMerchant(merchantName);
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, ...details });
  return { ...data, client, payment: () => client.payments.get(data.reference) };
}

/** Somewhere for the customer to go back to. */
export async function merchantSite(t: ExecutionContext): Promise<string> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><h1>Back at the shop</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The site of the merchant has no port.');
  return `http://127.0.0.1:${address.port}`;
}

interface Card {
  number: string;
  expiry?: string;
  cvc?: string;
  name?: string;
}

export async function fillIn(page: Page, { number, expiry = '12 / 40', cvc = '987', name = 'Ada Lovelace' }: Card) {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(expiry);
  await page.getByLabel('Security code').fill(cvc);
  await page.getByLabel('Name on card').fill(name);
}

export async function pay(page: Page, card: Card): Promise<void> {
  await fillIn(page, card);
  await page.getByRole('button', { name: /^Pay / }).click();
}

/** Waits for the page with this heading. */
export const sees = (page: Page, heading: string) => page.getByRole('heading', { level: 1, name: heading }).waitFor();
