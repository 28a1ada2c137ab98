import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { Page, Route } from 'playwright-core';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';
import { createMerchantWithUser, password } from '../users/users.ts';

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

export async function signInNewUser(page: Page, server: TestServer, path = '') {
  const merchant = await createMerchantWithUser(server, 'Ada’s Books');
  await signInToDashboard(page, server, { email: merchant.email, password, path });
  await page.getByRole('navigation', { name: 'Mode' }).waitFor();
  return { page, merchant, client: merchant.client };
}

export async function openDashboard(
  page: Page,
  server: TestServer,
  { merchant, path, role }: { merchant: TestMerchant; path: string; role?: Role },
): Promise<void> {
  const { token } = await beginSession(server, merchant, role);
  await page.context().addCookies([{ name: 'tillhook_session', value: token, url: server.url }]);
  await page.goto(`${server.url}/dashboard${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

interface LostAnswers {
  method: string;
  path: string;
  times: number;
  withPage?: boolean;
}

/** The service carries out the requests, but its responses are lost. Returns the idempotency keys of all requests. */
export async function loseAnswers(page: Page, { method, path, times, withPage = false }: LostAnswers) {
  let left = times;
  const keys: (string | undefined)[] = [];
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    if (left === 0) return route.fallback();
    left -= 1;
    await route.fetch();
    await (withPage ? route.fulfill({ contentType: 'text/html', body: '<p>Welcome</p>' }) : route.abort());
  });
  return keys;
}

export interface ErrorAnswer {
  status: number;
  code: string;
  message?: string;
  details?: { path: string; message: string }[];
  /** In seconds. */
  retryAfter?: number;
}

export function refuse(route: Route, { status, code, message = 'Not now', details = [], retryAfter }: ErrorAnswer) {
  const error = { type: 'api_error', code, param: null, details, docUrl: 'https://docs.example.com/errors' };
  return route.fulfill({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    json: { success: false, message, error, requestId: 'req_bad_day' },
  });
}

export async function endSession(page: Page, { url }: { url: string }): Promise<void> {
  const session = `${url}/api/v1/dashboard/session`;
  const response = await page.context().request.delete(session, { headers: { 'x-service-mode': 'test' } });
  if (!response.ok()) throw new Error(await response.text());
}

/** Without an email address, the function first creates a merchant with a user. */
export async function openSettings(page: Page, server: TestServer, { email = '' } = {}): Promise<void> {
  await openTabs(page, server, { path: '/test/settings', heading: 'Settings', email });
}

export async function openAccount(page: Page, server: TestServer, { tab = '', email = '' } = {}): Promise<void> {
  const path = `/test/account${tab && `?tab=${tab}`}`;
  await openTabs(page, server, { path, heading: 'Your account', email });
}

async function openTabs(page: Page, server: TestServer, { path = '', heading = '', email = '' }): Promise<void> {
  const who = email || (await createMerchantWithUser(server, 'Ada’s Books')).email;
  await signInToDashboard(page, server, { email: who, password, path });
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
}

export async function openDevelopers(page: Page, server: TestServer, email?: string): Promise<void> {
  const who = email ?? (await createMerchantWithUser(server, 'Ada’s Books')).email;
  await signInToDashboard(page, server, { email: who, password, path: '/test/developers' });
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
}

export function codeOn(page: Page): Promise<string[]> {
  return page.getByRole('tabpanel').locator('pre').allTextContents();
}

export async function runLines(lines: readonly (string | undefined)[]): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', lines.join('\n')])).stdout;
}

export async function transferWalletOf({ client }: TestMerchant): Promise<number | undefined> {
  const { wallets } = await client.wallets.list();
  return wallets.find(({ kind }) => kind === 'transfer')?.available;
}

export function countCalls(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isOfPage = pathname.includes('/api/v1/') && !pathname.endsWith('/session');
    if (isOfPage && !searchParams.has('wait')) count += 1;
  });
  return () => count;
}
