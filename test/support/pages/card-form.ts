/** The card form of a hosted checkout, as a customer types into it. */
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';
import { goodCard, startCheckout } from './checkout-page.ts';

export async function openForm(page: Page, server: TestServer) {
  const checkout = await startCheckout(server);
  await page.goto(checkout.checkoutUrl);
  return checkout;
}

/** Waits until the field has the focus. */
export const hasFocus = (page: Page, label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();

/** The mistakes that stand beside the fields. */
export const messages = (page: Page) => page.locator('.field-error:visible').allTextContents();

/** Types into a field without leaving it. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.type(text);
}

/** What programs that fill forms write, and what the form makes of it. */
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
