import type { Role } from '@tillhook/server/src/kit/role.ts';
import type { Page } from 'playwright-core';
import type { TestMerchant, TestServer } from './tillhook.ts';

export const password = 'correct horse battery staple';

/** A merchant with somebody who may sign in. */
export async function staffedMerchant(server: TestServer, name: string): Promise<TestMerchant & { email: string }> {
  const merchant = await server.createMerchant(name);
  return { ...merchant, email: await addUser(server, merchant) };
}

/** Lets one more person look after the merchant, with the password above, and returns their address. */
export function addUser({ arrange }: TestServer, { id: merchantId }: TestMerchant, role?: Role): Promise<string> {
  return arrange('addUser', { merchantId, password, ...(role && { role }) });
}

/** Opens the dashboard, is asked who it is, and answers. */
export async function signIn(
  page: Page,
  server: TestServer,
  typed: { email: string; password: string },
): Promise<void> {
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  await page.getByLabel('Email').fill(typed.email);
  await page.getByLabel('Password').fill(typed.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
