/** Steps of a reader who sends a request with the form on the page of an operation. */
import type { Page, Request } from 'playwright-core';

/** Opens the documentation page of this operation on this server, and its form. */
export async function openForm(page: Page, server: { url: string }, operation: string): Promise<void> {
  await page.goto(`${server.url}/docs/reference/${operation}`);
  await page.locator('#try > summary').click();
  await page.locator('#try fieldset:enabled').waitFor();
}

/** Sends the request and waits for a response. With `words`, waits for the response that begins with these words. */
export async function send(page: Page, key: string, words = ''): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.answer [role=status]:not(:empty)').filter({ hasText: words }).waitFor();
}

/** Resolves with the page's next request to the API. */
export function nextCall(page: Page): Promise<Request> {
  return page.waitForRequest('**/api/v1/**');
}
