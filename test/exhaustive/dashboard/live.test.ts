/** Everything that live pages of the dashboard wait for, and when they do not. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import { openDashboard, refuse } from '../../support/dashboard/dashboard.ts';
import { isHeld, makePatient } from '../../support/dashboard/held-requests.ts';
import { eventually } from '../../support/eventually.ts';
import { payOnce } from '../../support/receivers/deliveries.ts';
import { receiverFor } from '../../support/receivers/receiver.ts';
import { serverForFile } from '../../support/server/tillhook.ts';
import { createMerchantWithUser } from '../../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

/** Opens an empty page, and follows which of its requests wait for an event. */
const openPatient = async (t: ExecutionContext) => makePatient(await openPage(t));

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

test.serial('a new payment appears on Deliveries, Events and Home without a reload', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: (await receiverFor(t)).url });
  const home = await openPage(t);
  await home.clock.install();
  await openDashboard(home, server(), { merchant, path: '/test?days=1' });
  const [deliveries, events] = await Promise.all([openTab(home, '/deliveries'), openTab(home, '/events')]);
  await deliveries.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  await events.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();

  const reference = await payOnce(merchant.client);

  await deliveries.getByRole('row', { name: reference }).getByText('delivered').waitFor();
  await events.getByRole('row', { name: reference }).getByText('1 delivered').waitFor();
  await home.clock.runFor(16_000);
  await home.getByText('₦5,000.00').first().waitFor();
  t.is(await home.getByRole('alert').count(), 0);
});

test.serial('a live page waits as long as the service says, and does not repeat a call that got 404', async (t) => {
  const merchant = await server().createMerchant();
  const page = await openPage(t);
  await page.clock.install();
  await openDashboard(page, server(), { merchant, path: '/test/deliveries' });
  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  const asked = countCalls(page);
  await page.route('**/api/v1/webhook-deliveries?*', (route) =>
    refuse(route, { status: 429, code: 'rate_limited', retryAfter: 60 }),
  );
  await page.clock.runFor(5_000);
  await page.getByText('The service asks to wait for 60 seconds').waitFor();
  await page.getByText('What is shown below is what was there before.').waitFor();
  const before = asked();
  await page.clock.runFor(50_000);
  t.is(asked(), before);
  await page.unrouteAll();
  await page.clock.runFor(15_000);
  await page.getByRole('alert').waitFor({ state: 'detached' });

  await page.goto(`${server().url}/dashboard/test/payments/order-0000`);
  await page.getByText('There is no such thing here').waitFor();
  const last = asked();
  await page.clock.runFor(60_000);
  t.is(asked(), last);
});

test.serial(
  'while the service is away the page does not claim that a filter finds nothing, and its button stays',
  async (t) => {
    const merchant = await server().createMerchant();
    const reference = await payOnce(merchant.client);
    const page = await openPage(t);
    await page.clock.install();
    await openDashboard(page, server(), { merchant, path: '/test/payments' });
    await page.getByRole('row', { name: reference }).waitFor();
    const { promise: askedAgain, resolve: askAgain } = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route('**/api/v1/payments?*', (route) => (isHeld ? askAgain() : route.abort()));

    await page.getByLabel('Status').selectOption('failed');
    await page.clock.runFor(2_000);
    const tryAgain = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    isHeld = true;
    await page.clock.runFor(5_000);
    await askedAgain;

    t.true(await tryAgain.isVisible());
    t.is(await page.getByRole('row', { name: reference }).count(), 0);

    await tryAgain.click();
    await page.getByRole('status').getByText('Loading').waitFor();
    t.is(await page.getByRole('row', { name: reference }).count(), 0);
  },
);

async function openTab(first: Page, path: string): Promise<Page> {
  const page = await first.context().newPage();
  await page.goto(`${server().url}/dashboard/test${path}`);
  return page;
}

/** Counts the calls of the page so far, without those that ask who is signed in or wait for an event. */
function countCalls(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isOfPage = pathname.includes('/api/v1/') && !pathname.endsWith('/session');
    if (isOfPage && !searchParams.has('wait')) count += 1;
  });
  return () => count;
}
