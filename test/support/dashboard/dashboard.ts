import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { Page, Route } from 'playwright-core';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';
import { createMerchantWithUser, password } from '../users/users.ts';

/** Opens the dashboard and signs in with the form. */
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

/** Creates a merchant with a user, and signs the user in on this page of the dashboard. */
export async function signInNewUser(page: Page, server: TestServer, path = '') {
  const merchant = await createMerchantWithUser(server, 'Ada’s Books');
  await signInToDashboard(page, server, { email: merchant.email, password, path });
  await page.getByRole('navigation', { name: 'Mode' }).waitFor();
  return { page, merchant, client: merchant.client };
}

/** Opens a page of the dashboard for a new user of the merchant. The user is already signed in. */
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
  /** Whether the page gets an HTML page of a proxy instead of the service's response. */
  withPage?: boolean;
}

/**
 * Lets the service carry out requests to this path, but loses the given number of responses. Returns the idempotency
 * keys of all these requests, in order.
 */
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

/** An error response of the service. */
export interface ErrorAnswer {
  status: number;
  code: string;
  message?: string;
  details?: { path: string; message: string }[];
  /** In seconds. */
  retryAfter?: number;
}

/** Responds to a request with this error, without sending the request to the service. */
export function refuse(route: Route, { status, code, message = 'Not now', details = [], retryAfter }: ErrorAnswer) {
  const error = { type: 'api_error', code, param: null, details, docUrl: 'https://docs.example.com/errors' };
  return route.fulfill({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    json: { success: false, message, error, requestId: 'req_bad_day' },
  });
}

/** Ends the page's session on the server, as if the session had been idle for too long. */
export async function endSession(page: Page, { url }: { url: string }): Promise<void> {
  const session = `${url}/api/v1/dashboard/session`;
  const response = await page.context().request.delete(session, { headers: { 'x-service-mode': 'test' } });
  if (!response.ok()) throw new Error(await response.text());
}

/**
 * Signs a user in and opens a tab of the settings page. Without an email address, the function first creates a
 * merchant with a user.
 */
export async function openSettings(page: Page, server: TestServer, { tab = '', email = '' } = {}): Promise<void> {
  const who = email || (await createMerchantWithUser(server, 'Ada’s Books')).email;
  await signInToDashboard(page, server, { email: who, password, path: `/test/settings${tab && `?tab=${tab}`}` });
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
}

/**
 * Signs a user in and opens the page Developers. Without an email address, the function first creates a merchant with
 * a user.
 */
export async function openDevelopers(page: Page, server: TestServer, email?: string): Promise<void> {
  const who = email ?? (await createMerchantWithUser(server, 'Ada’s Books')).email;
  await signInToDashboard(page, server, { email: who, password, path: '/test/developers' });
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
}

/** Returns the source code of the programs in the selected tab of the page Developers. */
export function codeOn(page: Page): Promise<string[]> {
  return page.getByRole('tabpanel').locator('pre').allTextContents();
}

/** Runs these lines in a shell and returns their output. */
export async function runLines(lines: readonly (string | undefined)[]): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', lines.join('\n')])).stdout;
}

export async function transferWalletOf({ client }: TestMerchant): Promise<number | undefined> {
  const { wallets } = await client.wallets.list();
  return wallets.find(({ kind }) => kind === 'transfer')?.available;
}

/** Counts the requests of the page, except requests that read the session or wait for an event. */
export function countCalls(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isOfPage = pathname.includes('/api/v1/') && !pathname.endsWith('/session');
    if (isOfPage && !searchParams.has('wait')) count += 1;
  });
  return () => count;
}
