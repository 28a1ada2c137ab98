/** The search over all pages and records, with the keyboard only. */
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { startCheckout } from '../support/money/payments.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { recipient } from '../support/money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'the keyboard alone finds and opens a page, a payment by reference or email, and a delivery by id',
  async (t) => {
    const merchant = await server().createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    const [delivery = ''] = await insertDeliveries(server(), merchant, { webhookId });
    await startCheckout(merchant, 'order-1042');
    await merchant.client.checkout.create({ email: 'grace@example.com', amount: 100, reference: 'order-1043' });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test' });
    const search = page.getByRole('textbox', { name: 'Search' });
    const goTo = async (keys: string, typed: string, shown: string | RegExp) => {
      await page.keyboard.press(keys);
      await search.fill(typed);
      await page.getByRole('dialog').getByRole('button', { name: shown }).waitFor();
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };

    await goTo('Control+k', 'balan', 'Balances');
    await page.waitForURL('**/test/balances');
    await goTo('Meta+k', 'order-1042', /^order-1042.*ada@example.com/);
    await page.waitForURL('**/test/payments/order-1042');
    await goTo('Control+k', 'grace@example.com', /^order-1043.*grace@example.com/);
    await page.waitForURL('**/test/payments/order-1043');
    await page.keyboard.press('Control+k');
    await search.fill('order-1042');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/payments/order-1042');
    await goTo('Meta+k', ` ${delivery.toUpperCase()} `, 'Delivery of checkout.success');
    await page.waitForURL(`**/test/deliveries/${delivery}`);

    await page.keyboard.press('Control+k');
    await search.fill('order-1044');
    await page.getByText('No payment, transfer or refund has this reference or email').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.route('**/api/v1/payments?*', (route) => route.abort());
    await search.fill('order-1045');
    await page.getByText('The service cannot be reached. Close this and try again.').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
  },
);

test.serial('the search finds a transfer and a refund by reference, and an endpoint and an event by id', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  const { client } = merchant;
  await client.testHelpers.fundWallet({ amount: 10_000 });
  await client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient() });
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-1' });
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [delivery = ''] = await insertDeliveries(server(), merchant, { webhookId });
  const { eventId } = await client.deliveries.get(delivery);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const open = async (typed: string, shown: string | RegExp, path: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).fill(typed);
    await page.getByRole('dialog').getByRole('button', { name: shown }).click();
    await page.waitForURL(`**/test${path}`);
  };

  await open('payout-1', /^payout-1.*Transfer of ₦3\.00, \w+, to \u2068Grace Hopper\u2069$/, '/transfers/payout-1');
  await open('refund-1', /^refund-1.*Refund of ₦1\.00.*of order-1042$/, '/payments/order-1042');
  await open(webhookId, /^Webhook endpoint/, `/webhooks/${webhookId}`);
  await open(eventId, /^Event checkout\.success/, `/events/${eventId}`);
  t.is(page.url(), `${server().url}/dashboard/test/events/${eventId}`);
});

test.serial('a page that arrives while the user types in the search leaves the focus there', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const late = Promise.withResolvers<void>();
  await page.route('**/assets/payment.page-*.js', async (route) => {
    await late.promise;
    await route.continue();
  });
  const search = page.getByRole('textbox', { name: 'Search' });
  await page.keyboard.press('Control+k');
  await search.fill('order-1042');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/test/payments/order-1042');

  await page.keyboard.press('Control+k');
  await search.fill('balan');
  late.resolve();
  await page.locator('h1', { hasText: /^Payment$/ }).waitFor();
  await page.keyboard.press('Enter');

  await page.waitForURL('**/test/balances');
  t.is(await page.locator('h1:focus').innerText(), 'Balances');
});
