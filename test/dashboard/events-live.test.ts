/**
 * A page that is shown follows the events of its merchant, and is updated when one comes. In these tests the timers by
 * which it would ask again anyway never end.
 */
import test, { type ExecutionContext } from 'ava';
import type { Page, Request } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createMerchantWithUser } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

const withoutSteadyAsking = `for (const name of ['setTimeout', 'setInterval']) {
  const own = window[name];
  window[name] = (run, ms, ...rest) => (ms >= 4_000 ? 0 : own(run, ms, ...rest));
}`;

/** Opens an empty page, and follows which of its requests wait for an event. */
async function openPatient(t: ExecutionContext) {
  const page = await openPage(t);
  await page.context().addInitScript(withoutSteadyAsking);
  return { page, held: heldBy(page) };
}

/** The requests of the page that wait for an event now. */
function heldBy(page: Page): Set<Request> {
  const held = new Set<Request>();
  page.on('request', (request) => {
    if (/\/api\/v1\/events\?.*wait=25/.test(request.url())) held.add(request);
  });
  page.on('requestfinished', (request) => held.delete(request));
  page.on('requestfailed', (request) => held.delete(request));
  return held;
}

const isHeld = (held: Set<Request>) => eventually(() => held.size, 1);

test.serial('an event appears on Events, Payments and Home at once', async (t) => {
  const merchant = await server().createMerchant();
  const { page: events, held } = await openPatient(t);
  await openDashboard(events, server(), { merchant, path: '/test/events' });
  const open = async (path: string) => {
    const page = await events.context().newPage();
    const own = heldBy(page);
    await page.goto(`${server().url}/dashboard/test${path}`);
    await isHeld(own);
    return page;
  };
  const [payments, home] = [await open('/payments'), await open('?days=1')];
  await isHeld(held);

  const reference = await payOnce(merchant.client);

  await events.getByRole('row', { name: reference }).waitFor();
  await payments.getByRole('row', { name: reference }).getByText('completed').waitFor();
  await home.getByText('₦5,000.00').first().waitFor();
  await isHeld(held);
  const [event] = (await merchant.client.events.list()).events;
  await eventually(
    () => [...held].map((request) => new URL(request.url()).searchParams.get('after')),
    [event?.id ?? null],
  );
  const next = await payOnce(merchant.client);
  await events.getByRole('row', { name: next }).waitFor();
  t.is(await events.getByRole('alert').count(), 0);
});

test.serial('a hidden page waits for no event, and has caught up when it is shown again', async (t) => {
  const merchant = await server().createMerchant();
  const { page, held } = await openPatient(t);
  await openDashboard(page, server(), { merchant, path: '/test/events' });
  await isHeld(held);

  await show(page, 'hidden');
  await eventually(() => held.size, 0);
  const reference = await payOnce(merchant.client);
  t.is(await page.getByRole('row', { name: reference }).count(), 0);
  await show(page, 'visible');

  await page.getByRole('row', { name: reference }).waitFor();
  await isHeld(held);
});

test.serial('a page waits with one request, for the mode and the merchant that it shows', async (t) => {
  const own = await createMerchantWithUser(server(), 'Ada’s Books');
  const watched = await server().createMerchant('Grace & Co');
  const { page, held } = await openPatient(t);
  await openDashboard(page, server(), { merchant: own, path: '/test/events', role: 'operator' });
  await isHeld(held);

  await page.evaluate(`sessionStorage.setItem('tillhook-watched-merchant', '${watched.id}')`);
  await page.reload();
  await eventually(() => [...held].map((request) => request.headers()['x-service-merchant']), [watched.id]);
  const reference = await payOnce(watched.client);
  await page.getByRole('row', { name: reference }).waitFor();

  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click();
  await eventually(() => [...held].map((request) => request.headers()['x-service-mode']), ['live']);
  t.is(held.size, 1);
});

test.serial('a page that shows nothing live waits for no event, nor does one whose user has signed out', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  const { page, held } = await openPatient(t);
  await openDashboard(page, server(), { merchant, path: '/test/events' });
  await isHeld(held);

  await page.getByRole('link', { name: 'Products' }).click();
  await eventually(() => held.size, 0);
  await page.getByRole('link', { name: 'Events' }).click();
  await isHeld(held);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  t.is(held.size, 0);
});

/** Makes the tab hidden or visible for the page. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}
