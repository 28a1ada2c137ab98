/** Live pages show new records at once, without a reload, and make no calls while they are hidden. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { heldBy, isHeld, makePatient } from '../support/dashboard/held-requests.ts';
import { eventually } from '../support/eventually.ts';
import { payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

/** Opens an empty page, and follows which of its requests wait for an event. */
const openPatient = async (t: ExecutionContext) => makePatient(await openPage(t));

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

test.serial('a hidden page makes no calls, and is updated at once when it is shown again', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const page = await openPage(t);
  await page.clock.install();
  await openDashboard(page, server(), { merchant, path: '/test/deliveries' });
  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  const asked = countCalls(page);
  await Promise.all([page.waitForResponse('**/webhook-deliveries?*'), page.clock.runFor(5_000)]);

  await show(page, 'hidden');
  const before = asked();
  const reference = await payOnce(merchant.client);
  await page.clock.runFor(600_000);
  t.is(asked(), before);

  await show(page, 'visible');
  await page.getByRole('row', { name: reference }).waitFor();
});

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

/** Makes the tab hidden or visible for the page. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}
