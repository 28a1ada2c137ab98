import type { Locator, Page } from 'playwright-core';
import type { TestMerchant } from '../server/tillhook.ts';

export async function fillIn(
  page: Page,
  { amount, accountNumber = '0123456789' }: { amount: string; accountNumber?: string },
) {
  await page.getByRole('button', { name: 'Send money' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send money' });
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Recipient’s name').fill('Grace Hopper');
  await dialog.getByLabel('Account number or IBAN').fill(accountNumber);
  await dialog.getByLabel('Bank code').fill('058');
  return dialog;
}

export const references = async ({ client }: TestMerchant) =>
  (await client.transfers.list()).transfers.map(({ reference }) => reference);

/** Looks at the review, and sends the money. */
export async function send(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Review' }).click();
  await dialog.getByRole('button', { name: /^Send/ }).click();
}
