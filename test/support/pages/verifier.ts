import { readContract } from '@tillhook/openapi';
import type { Page } from 'playwright-core';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const checkoutSuccess = readContract().model.webhooks.find(({ name }) => name === 'checkout.success');

export const body = JSON.stringify(checkoutSuccess?.body.examples.get('basic')?.value);

export async function openVerifier(page: Page, server: { url: string }) {
  await page.goto(`${server.url}/docs/verifier`);
  await page.getByRole('button', { name: 'Verify' }).waitFor();
  return page.locator('#verdict');
}

interface Pasted {
  headers: Record<string, string>;
  secret: string;
}

export async function paste(page: Page, pasted: Pasted): Promise<void> {
  const lines = Object.entries(pasted.headers).map(([name, value]) => `${name}: ${value}`);
  await page.getByLabel('Raw body').fill(body);
  await page.getByLabel('Headers').fill(lines.join('\n'));
  await page.getByLabel('Signing secret').fill(pasted.secret);
  await page.getByRole('button', { name: 'Verify' }).click();
}
