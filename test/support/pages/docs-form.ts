import type { Page, Request } from 'playwright-core';

export async function openForm(page: Page, server: { url: string }, operation: string): Promise<void> {
  await page.goto(`${server.url}/docs/reference/${operation}`);
  await page.locator('#try > summary').click();
  await page.locator('#try fieldset:enabled').waitFor();
}

export async function send(page: Page, key: string, words = ''): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.answer [role=status]:not(:empty)').filter({ hasText: words }).waitFor();
}

export function nextCall(page: Page): Promise<Request> {
  return page.waitForRequest('**/api/v1/**');
}
