import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { Page, Route } from 'playwright-core';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';
import { createMerchantWithUser, password } from '../users/users.ts';

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

/** Somebody of a new merchant signs in, on a page of the dashboard. */
export async function signInNewUser(page: Page, server: TestServer, path = '') {
  const merchant = await createMerchantWithUser(server, 'Ada’s Books');
  await signInToDashboard(page, server, { email: merchant.email, password, path });
  await page.getByRole('navigation', { name: 'Mode' }).waitFor();
  return { page, merchant, client: merchant.client };
}

/** A page of the dashboard, opened by somebody new who looks after the merchant. */
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
  /** A proxy answers with a page in the place of the service. */
  withPage?: boolean;
}

/** What the service answers to calls of this kind is lost on its way, so many times. It has carried them out. */
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

/** What the service says when it does not do what it was asked for. */
export interface Refusal {
  status: number;
  code: string;
  message?: string;
  details?: { path: string; message: string }[];
  /** In seconds. */
  retryAfter?: number;
}

/** Puts this answer in the place of the service's. */
export function refuse(route: Route, { status, code, message = 'Not now', details = [], retryAfter }: Refusal) {
  const error = { type: 'api_error', code, param: null, details, docUrl: 'https://docs.example.com/errors' };
  return route.fulfill({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    json: { success: false, message, error, requestId: 'req_bad_day' },
  });
}

/** As if the page had been left alone for too long. */
export async function endSession(page: Page, { url }: { url: string }): Promise<void> {
  const session = `${url}/api/v1/dashboard/session`;
  const response = await page.context().request.delete(session, { headers: { 'x-service-mode': 'test' } });
  if (!response.ok()) throw new Error(await response.text());
}
