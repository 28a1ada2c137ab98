import type { Page } from 'playwright-core';

/** Opens the dashboard, is asked who it is, and answers. */
export async function signInToDashboard(
  page: Page,
  { url }: { url: string },
  typed: { email: string; password: string; path?: string },
): Promise<void> {
  await page.goto(`${url}/dashboard${typed.path ?? ''}`);
  await page.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  await page.getByLabel('Email').fill(typed.email);
  await page.getByLabel('Password', { exact: true }).fill(typed.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
