import { createServer } from 'node:http';
import type { CheckoutRequest } from '@tillhook/openapi';
import type { Tillhook } from '@tillhook/sdk';
import type { WordKey } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';
import { wordsFor } from '@tillhook/server/src/pages/checkout/words/words.ts';
import type { Verdict } from '@tillhook/server/src/processors/port.ts';
import type { ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { withoutRefunds } from '../money/refunds.ts';
import type { OwnServer, TestServer } from '../server/tillhook.ts';

export const goodCard = '4242 4242 4242 4242';
export const declinedCard = '4000 0000 0000 0002';
export const amexCard = '3782 822463 10005';
export const threeDSecureCard = '4000 0000 0000 3220';

export const customers = [
  ['a customer', true],
  ['a customer without JavaScript', false],
] as const;

export async function startCheckout(
  server: TestServer,
  details: Partial<CheckoutRequest> = {},
  merchantName = 'Ada’s Books',
) {
  const { client } = await server.createMerchant(merchantName);
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, ...details });
  return { ...data, client, payment: () => client.payments.get(data.reference) };
}

export async function merchantSite(t: ExecutionContext): Promise<string> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><h1>Back at the shop</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  const address = site.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server of the merchant’s website has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** If the URL is null, the processor never answers. */
export function useLiveProcessorAt(server: OwnServer, actionUrl: string | null): void {
  const open: Verdict = actionUrl ? { result: 'open', processorId: 'session_1', actionUrl } : { result: 'unknown' };
  server.context.processors.live = {
    name: 'elsewhere',
    takes: 'redirect',
    accepts: () => true,
    start: async () => open,
    status: async () => open,
    cancel: async () => ({ result: 'cancelled' }),
    parseWebhook: async () => null,
    ...withoutRefunds,
  };
}

export async function expireCheckout({ test }: Tillhook): Promise<void> {
  await test.advanceTime({ seconds: 86_400 });
}

interface Card {
  number: string;
  expiry?: string;
  cvc?: string;
  name?: string;
}

export interface FormLabels {
  cardNumber: string;
  expiry: string;
  cvc: string;
  cardName: string;
  pay: RegExp;
}

const englishForm: FormLabels = {
  cardNumber: 'Card number',
  expiry: 'Expiry date',
  cvc: 'Security code',
  cardName: 'Name on card',
  pay: /^Pay /,
};

/** Must not give a test its expected text: a test that checks a sentence must contain the sentence itself. */
export function said(key: WordKey, locale = 'en-GB'): string {
  return wordsFor([locale]).text(key);
}

export function formLabels(locale?: string): FormLabels {
  const [before = '', after = ''] = wordsFor(locale ? [locale] : [])
    .text('form.pay', { amount: '|' })
    .split('|');
  return {
    cardNumber: said('field.cardNumber', locale),
    expiry: said('field.expiry', locale),
    cvc: said('field.cvc', locale),
    cardName: said('field.cardName', locale),
    pay: new RegExp(`^${before}.+${after}$`),
  };
}

export async function fillIn(
  page: Page,
  { number, expiry = '12 / 40', cvc = '987', name = 'Ada Lovelace' }: Card,
  labels = englishForm,
) {
  await page.getByLabel(labels.cardNumber, { exact: true }).fill(number);
  await page.getByLabel(labels.expiry, { exact: true }).fill(expiry);
  await page.getByLabel(labels.cvc, { exact: true }).fill(cvc);
  await page.getByLabel(labels.cardName, { exact: true }).fill(name);
}

export async function pay(page: Page, card: Card, labels = englishForm): Promise<void> {
  await fillIn(page, card, labels);
  await page.getByRole('button', { name: labels.pay }).click();
}

export async function clickTwice(page: Page, button: Locator): Promise<() => number> {
  const { promise: firstIsSent, resolve: sent } = Promise.withResolvers<void>();
  const { promise: secondIsClicked, resolve: clicked } = Promise.withResolvers<void>();
  let posts = 0;
  await page.route('**', async (route) => {
    if (route.request().method() === 'POST') {
      posts += 1;
      sent();
      await secondIsClicked;
    }
    await route.fallback();
  });
  const box = await button.boundingBox();
  if (!box) throw new Error('The button is not visible, so it cannot be clicked.');
  // `mouse.click` clicks at once, but `button.click()` would first wait for the navigation.
  const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await click();
  await firstIsSent;
  await click();
  clicked();
  return () => posts;
}

/** In an English form of a currency with M-Pesa. */
export async function payByPhone(page: Page, { number }: { number: string }): Promise<void> {
  await page.getByLabel(said('phone.operator')).selectOption('M-Pesa');
  await page.getByLabel(said('phone.number'), { exact: true }).fill(number);
  await page.getByRole('button', { name: formLabels().pay }).click();
}

/** The focused error summary above a form that was not sent. Screen readers announce the alert in it. */
export const focusedSummary = (page: Page) =>
  page.locator('.alert:focus').filter({ has: page.getByRole('alert'), visible: true });

export async function showAsPrinted(page: Page): Promise<void> {
  // Playwright finds the elements of a page even before its style sheets have arrived.
  await page.waitForLoadState();
  await page.emulateMedia({ media: 'print' });
}

/** What the fields of the card form contain. */
export const typed = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      ['cardNumber', 'expiry', 'cvc', 'cardName'].map(async (id) => [id, await page.locator(`#${id}`).inputValue()]),
    ),
  );

export const waitForDecline = (page: Page) => page.getByRole('heading', { name: 'Payment declined' }).waitFor();

export const waitForHeading = (page: Page, heading: string) =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor();
