import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';
import { goodCard, startCheckout, waitForHeading } from './checkout-page.ts';

export async function openForm(page: Page, server: TestServer) {
  const checkout = await startCheckout(server);
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

export const hasFocus = (page: Page, label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();

export const messages = (page: Page) => page.locator('.field-error:visible').allTextContents();

export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.type(text);
}

export const asOthersFill = [
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

interface TypedCard {
  brand: string;
  digits: string;
  number: string;
  code: string;
}

export const cards = {
  Visa: { brand: 'Visa', digits: '4242424242424242', number: goodCard, code: '987' },
  Mastercard: { brand: 'Mastercard', digits: '5555555555554444', number: '5555 5555 5555 4444', code: '987' },
  AmericanExpress: { brand: 'American Express', digits: '378282246310005', number: '3782 822463 10005', code: '9876' },
} satisfies Record<string, TypedCard>;

export const typingTitle = ({ brand }: TypedCard) =>
  `the cursor goes on when a field of a ${brand} card is full, and never earlier`;

export async function typeCard(
  t: ExecutionContext,
  page: Page,
  { server, card: { brand, digits, number, code } }: { server: TestServer; card: TypedCard },
): Promise<void> {
  const { payment } = await openForm(page, server);

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
}
