/** Tests two tabs in two modes, the Back button, live and hidden pages, and the longest and most dangerous texts. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import { countCalls, loseAnswers, openDashboard, refuse } from '../../support/dashboard/dashboard.ts';
import { addressOf, dashboardPages, fillPages } from '../../support/dashboard/dashboard-pages.ts';
import { heldBy, isHeld, makePatient } from '../../support/dashboard/held-requests.ts';
import { chipOf, chooseTab, chosenTab, filterBy } from '../../support/dashboard/lists.ts';
import { liveNeeds } from '../../support/dashboard/scene-answers.ts';
import { send } from '../../support/dashboard/send-money.ts';
import { eventually } from '../../support/eventually.ts';
import { startCheckout } from '../../support/money/payments.ts';
import { insertProducts } from '../../support/money/products.ts';
import { fundedMerchant } from '../../support/money/transfers.ts';
import { payOnce, unreachableUrl } from '../../support/receivers/deliveries.ts';
import { receiverFor } from '../../support/receivers/receiver.ts';
import { serverForFile } from '../../support/server/tillhook.ts';
import { beginSession } from '../../support/users/session.ts';
import { createMerchantWithUser } from '../../support/users/users.ts';

const server = serverForFile({ PAYOUT_PROCESSOR: 'manual' });
const openPage = browserForFile();

test.serial('two tabs in two modes each act in their own mode, whichever tab acted last', async (t) => {
  const { client, liveClient, ...merchant } = await server().createMerchant();
  const testTab = await openPage(t);
  await openDashboard(testTab, server(), { merchant: { client, liveClient, ...merchant }, path: '/test/products' });
  const liveTab = await testTab.context().newPage();
  await liveTab.goto(`${server().url}/dashboard/live/products`);
  await liveTab.getByRole('heading', { name: 'No products yet' }).waitFor();

  await addProduct(testTab, 'Test mug');
  await addProduct(liveTab, 'Live mug');
  await addProduct(testTab, 'Test cup');
  await liveTab.reload();
  await liveTab.getByRole('cell', { name: 'Live mug', exact: true }).waitFor();
  await testTab.reload();
  await testTab.getByRole('cell', { name: 'Test cup', exact: true }).waitFor();

  t.deepEqual(await productsIn(testTab), ['Test cup', 'Test mug']);
  t.deepEqual(await productsIn(liveTab), ['Live mug']);
  t.deepEqual(namesOf(await client.storefront.listProducts()), ['Test cup', 'Test mug']);
  t.deepEqual(namesOf(await liveClient.storefront.listProducts()), ['Live mug']);
  t.is(await modeOf(testTab), 'Test');
  t.is(await modeOf(liveTab), 'Live');
});

test.serial('the Back and Forward buttons keep the filters and the position in the list', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 30);
  await startCheckout(merchant, 'order-1');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/products' });
  const next = page.getByRole('button', { name: 'Next' });
  await page.getByText('1–25 of 30').waitFor();
  await chooseTab(page, 'Active');
  await page.waitForURL('**/products?status=active');
  await next.click();
  await page.getByText('26–30 of 30').waitFor();
  await page.getByRole('link', { name: 'Payments' }).click();
  await filterBy(page, 'Reference', 'order-1042');
  await page.waitForURL('**/payments?reference=order-1042');

  await page.goBack();
  await page.getByText('26–30 of 30').waitFor();
  t.is(await chosenTab(page), 'Active');
  await page.goBack();
  await page.getByText('1–25 of 30').waitFor();
  t.is(await chosenTab(page), 'Active');
  await page.goForward();
  await page.getByText('26–30 of 30').waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'No payments match' }).waitFor();
  t.is(await chipOf(page, 'Reference').textContent(), 'Reference: order-1042');
});

test.serial(
  'a dialog that was opened for one mode or payment never acts on the other mode or on another payment',
  async (t) => {
    const merchant = await fundedMerchant(server(), 1_000);
    for (const reference of ['order-1042', 'order-1043']) await startCheckout(merchant, reference);
    const page = await openPage(t);
    const dialog = page.getByRole('dialog');
    const lost = dialog.getByText('We do not know whether this was done.');
    // The server of the tests has no payout processor, without which live mode does not open the form.
    await page.route('**/api/v1/dashboard/live-setup', (route) => route.fulfill({ json: liveNeeds([]) }));
    await openDashboard(page, server(), { merchant, path: '/test/transfers' });
    const transfers = await loseAnswers(page, { method: 'POST', path: '/api/v1/transfers', times: 3 });
    await page.getByRole('button', { name: 'Send money' }).click();
    for (const [label, value] of Object.entries(typedTransfer)) await dialog.getByLabel(label).fill(value);
    await send(dialog);
    await lost.waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.waitForURL('**/live/transfers');
    await page.getByRole('button', { name: 'Send money' }).click();
    await dialog.getByRole('button', { name: 'Review' }).waitFor();
    t.is(await dialog.getByLabel('Amount').inputValue(), '');
    await dialog.getByLabel('Amount').fill('7');
    await page.goBack();
    await page.waitForURL('**/test/transfers');
    await dialog.waitFor({ state: 'detached' });
    t.is(transfers.length, 3);
    t.deepEqual((await merchant.liveClient.transfers.list()).transfers, []);

    await page.goto(`${server().url}/dashboard/test/payments/order-1042`);
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    // The calls are aborted, because once the payment is cancelled, its button and dialog disappear.
    await page.route('**/api/v1/payments/order-1042/cancel', (route) => route.abort());
    await cancel.click();
    await dialog.getByRole('button', { name: 'Cancel payment' }).click();
    await lost.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill('order-1043');
    await dialog.getByRole('button', { name: /^order-1043/ }).click();
    await page.waitForURL('**/test/payments/order-1043');
    await cancel.click();
    await dialog.getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByText('Payment cancelled.').waitFor();
    t.is((await merchant.client.payments.get('order-1043')).status, 'expired');
  },
);

test.serial('a form that one user filled in is closed when another user has signed in in another tab', async (t) => {
  const [merchant, other] = [await server().createMerchant('Ada’s Books'), await server().createMerchant('Grace & Co')];
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/products' });
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Mug');
  const { token } = await beginSession(server(), other);
  await page.context().addCookies([{ name: 'tillhook_session', value: token, url: server().url }]);

  await page.evaluate('window.dispatchEvent(new Event("focus"))');

  await page.getByRole('banner').getByText('Grace & Co').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No products yet' }).waitFor();
  t.is(await page.getByText('Ada’s Books').count(), 0);
});

const typedTransfer = {
  Amount: '5',
  'Recipient’s name': 'Grace Hopper',
  'Account number or IBAN': '0123456789',
  'Bank code': '058',
};

async function addProduct(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add product' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Price').fill('1');
  await dialog.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('cell', { name, exact: true }).waitFor();
}

const productsIn = (page: Page) => page.locator('td[data-title=Product]').allInnerTexts();

const modeOf = (page: Page) => page.locator('[aria-label="Mode"] [aria-current]').innerText();

const namesOf = ({ products }: { products: { name: string }[] }) => products.map(({ name }) => name);

const attack = '<script>document.title="taken"</script><img src=x onerror=document.title="taken">';

const hebrewAndArabic = 'שלום مكتبة آدا';

function worst(length: number): string {
  return `${hebrewAndArabic} 👩🏽‍🚀📚 ${attack}`.slice(0, length).padEnd(length, 'W');
}

const texts = {
  reference: 'W'.repeat(64),
  description: worst(200),
  email: `${'w'.repeat(64)}@${'w'.repeat(63)}.${'w'.repeat(63)}.example`,
  metadata: { [worst(40)]: worst(500), [attack.slice(0, 40)]: 'w'.repeat(500) },
  recipientName: worst(140),
  productName: worst(120),
};

test.serial('no typed text runs as a script or makes a page wider than 320 pixels', async (t) => {
  const merchant = await server().createMerchant(worst(120));
  const records = await fillPages(server(), merchant, texts);
  await server().arrange('createPaymentUnderReview', { merchantId: merchant.id });
  await server().arrange('createLiveTransfer', { merchantId: merchant.id });
  const page = await openPage(t, { viewport: { width: 360, height: 740 } });
  await openDashboard(page, server(), { merchant, path: '/test', role: 'operator' });
  const addresses = [
    ...dashboardPages.map((path) => addressOf(path, records)),
    '/test/account?tab=sessions',
    '/test/account?tab=notifications',
    '/test/account?tab=profile',
    '/test/settings?tab=audit',
    '/live/operator?tab=payments',
    '/live/operator?tab=merchants',
    `${addressOf('webhooks/$id', records)}?tab=secret`,
    `${addressOf('webhooks/$id', records)}?tab=code`,
  ];

  for (const address of addresses) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${server().url}/dashboard${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    t.is(await page.getByRole('main').getByRole('alert').count(), 0, address);
    t.deepEqual(await page.evaluate(tooWide), [], `${address} at 360`);
    await page.setViewportSize({ width: 320, height: 740 });
    t.deepEqual(await page.evaluate(tooWide), [], `${address} at 320`);
    t.not(await page.title(), 'taken', address);
  }
});

const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + ' wide', ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))];
})()`;

const openPatient = async (t: ExecutionContext) => makePatient(await openPage(t, { isNew: true }));

test.serial('a hidden page does not wait for events, and catches up when it is shown again', async (t) => {
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

test.serial('a page waits for events with one request, for the mode and the merchant that it shows', async (t) => {
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

test.serial(
  'a page without live content does not wait for events, and neither does a page whose user has signed out',
  async (t) => {
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
  },
);

async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}

test.serial('a new payment appears on Deliveries, Events and Home without a reload', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: (await receiverFor(t)).url });
  const home = await openPage(t, { isNew: true });
  await home.clock.install();
  await openDashboard(home, server(), { merchant, path: '/test?days=1' });
  const [deliveries, events] = await Promise.all([openTab(home, '/deliveries'), openTab(home, '/events')]);
  await deliveries.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  await events.getByRole('heading', { name: 'No events yet' }).waitFor();

  const reference = await payOnce(merchant.client);

  await deliveries.getByRole('row', { name: reference }).getByText('Delivered').waitFor();
  await events.getByRole('row', { name: reference }).getByText('Delivered: 1').waitFor();
  await home.clock.runFor(16_000);
  await home.getByText('₦5,000.00').first().waitFor();
  t.is(await home.getByRole('alert').count(), 0);
});

test.serial(
  'a live page waits as long as Retry-After says, and does not repeat a call that was answered with 404',
  async (t) => {
    const merchant = await server().createMerchant();
    const page = await openPage(t, { isNew: true });
    await page.clock.install();
    await openDashboard(page, server(), { merchant, path: '/test/deliveries' });
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
    const callCount = countCalls(page);
    await page.route('**/api/v1/webhook-deliveries?*', (route) =>
      refuse(route, { status: 429, code: 'rate_limited', retryAfter: 60 }),
    );
    await page.clock.runFor(5_000);
    await page.getByText('Wait 60 seconds and try again').waitFor();
    await page.getByText('Below is the last data that was loaded.').waitFor();
    const before = callCount();
    await page.clock.runFor(50_000);
    t.is(callCount(), before);
    await page.unrouteAll();
    await page.clock.runFor(15_000);
    await page.getByRole('alert').waitFor({ state: 'detached' });

    await page.goto(`${server().url}/dashboard/test/payments/order-0000`);
    await page.getByText('Not found', { exact: true }).waitFor();
    const last = callCount();
    await page.clock.runFor(60_000);
    t.is(callCount(), last);
  },
);

test.serial(
  'while the service is unreachable, the page does not say that a filter finds nothing, and keeps its retry button',
  async (t) => {
    const merchant = await server().createMerchant();
    const reference = await payOnce(merchant.client);
    const page = await openPage(t, { isNew: true });
    await page.clock.install();
    await openDashboard(page, server(), { merchant, path: '/test/payments' });
    await page.getByRole('row', { name: reference }).waitFor();
    const { promise: askedAgain, resolve: askAgain } = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route('**/api/v1/payments?*', (route) => (isHeld ? askAgain() : route.abort()));

    await chooseTab(page, 'Failed');
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

test.serial('an event appears on Events, Payments and Home immediately', async (t) => {
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
  await payments.getByRole('row', { name: reference }).getByText('Completed').waitFor();
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

test.serial('a hidden page makes no calls, and is updated as soon as it is shown again', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const page = await openPage(t, { isNew: true });
  await page.clock.install();
  await openDashboard(page, server(), { merchant, path: '/test/deliveries' });
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  const callCount = countCalls(page);
  await Promise.all([page.waitForResponse('**/webhook-deliveries?*'), page.clock.runFor(5_000)]);

  await show(page, 'hidden');
  const before = callCount();
  const reference = await payOnce(merchant.client);
  await page.clock.runFor(600_000);
  t.is(callCount(), before);

  await show(page, 'visible');
  await page.getByRole('row', { name: reference }).waitFor();
});

async function openTab(first: Page, path: string): Promise<Page> {
  const page = await first.context().newPage();
  await page.goto(`${server().url}/dashboard/test${path}`);
  return page;
}
