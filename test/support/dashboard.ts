import { DashboardUser } from '@tillhook/server/src/auth/dashboard-user.entity.ts';
import { getMerchant } from '@tillhook/server/src/auth/merchants.service.ts';
import { hashPassword } from '@tillhook/server/src/auth/password.ts';
import { ofItsOwn } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Page } from 'playwright-core';
import type { TestMerchant, TestServer } from './tillhook.ts';

export const password = 'correct horse battery staple';

/** A merchant with somebody who may sign in. */
export async function staffedMerchant(server: TestServer, name: string): Promise<TestMerchant & { email: string }> {
  const merchant = await server.createMerchant(name);
  return { ...merchant, email: await addUser(server, merchant) };
}

/** Lets one more person look after the merchant, with the password above, and returns their address. */
export async function addUser({ context }: TestServer, { id: merchantId }: TestMerchant): Promise<string> {
  // One hash for all: it takes its time on purpose, and tests need not.
  passwordHash ??= hashPassword(password);
  const user = { id: newId(), email: `Ada@${newId()}.example`, passwordHash: await passwordHash };
  await inTransaction(ofItsOwn(context), async (writing) => {
    const merchant = await getMerchant(writing, merchantId);
    const createdAt = writing.clock.now();
    writing.em.persist(Object.assign(new DashboardUser(), { ...user, merchant, createdAt }));
  });
  return user.email;
}

let passwordHash: Promise<string> | undefined;

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
