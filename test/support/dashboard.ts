import { addDashboardUser } from '@tillhook/server/src/auth/dashboard-session.service.ts';
import { Merchant } from '@tillhook/server/src/auth/merchant.entity.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import type { Page } from 'playwright-core';
import type { TestMerchant, TestServer } from './tillhook.ts';

export const password = 'correct horse battery staple';

/** A merchant with somebody who may sign in. */
export async function staffedMerchant(server: TestServer, name: string): Promise<TestMerchant & { email: string }> {
  const merchant = await server.createMerchant(name);
  const email = `Ada@${merchant.id}.example`;
  await inTransaction(server.context, async (context) => {
    const employer = await context.em.findOne(Merchant, { id: merchant.id });
    if (employer) await addDashboardUser(context, employer, { email, password });
  });
  return { ...merchant, email };
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
