/** Tests failures of payments, wallets, transfers and refunds in the dashboard. */
import { text } from 'node:stream/consumers';
import test from 'ava';
import type { Route } from 'playwright-core';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { loseAnswers, openDashboard, refuse } from '../../support/dashboard/dashboard.ts';
import { fillIn, references, send } from '../../support/dashboard/send-money.ts';
import { payByForm } from '../../support/money/hosted-page.ts';
import { leaveAttemptUndecided, startCheckout } from '../../support/money/payments.ts';
import { paidMerchant } from '../../support/money/refunds.ts';
import { balancesOf, creditCollection, fundedMerchant } from '../../support/money/transfers.ts';
import { declinedCard } from '../../support/pages/checkout-page.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'a second top-up with the same reference is refused, and the next top-up has a new reference',
  async (t) => {
    const merchant = await server().createMerchant();
    await creditCollection(server(), merchant, 1_000_000);
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/balances' });
    // The service executes two top-ups, as if the page had repeated its request with a new idempotency key.
    const twice = async (route: Route) => {
      await route.fetch();
      await route.continue({
        headers: { ...route.request().headers(), 'idempotency-key': 'another-key-of-this-top-up' },
      });
    };
    await page.route('**/api/v1/wallets/transfer/top-ups', twice, { times: 1 });

    await page.getByRole('button', { name: 'Top up Transfer wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Top up Transfer wallet' });
    await dialog.getByLabel('Amount').fill('2,500');
    await dialog.getByRole('button', { name: /^Move/ }).click();
    await dialog.getByText('This top-up was already made').waitFor();
    t.is(await dialog.getByLabel('Amount').inputValue(), '');
    await dialog.getByLabel('Amount').fill('20,000');
    await dialog.getByText(/^Your Collection wallet has ₦7,500\.00\. That is ₦12,500\.00 less/).waitFor();
    await dialog.getByRole('button', { name: /^Move/ }).click();
    await dialog.getByText('Your Collection wallet balance is too low.').waitFor();
    await dialog.getByText('Your Collection wallet has ₦7,500.00.', { exact: true }).waitFor();
    t.is(await dialog.getByText('The request was refused').count(), 0);
    await dialog.getByLabel('Amount').fill('100');
    await dialog.getByRole('button', { name: /^Move/ }).click();

    await dialog.waitFor({ state: 'detached' });
    t.like(await balancesOf(server(), merchant), { collection: 740_000, transfer: 260_000 });
  },
);

test.serial('live mode offers no test money, and a viewer cannot move money', async (t) => {
  const merchant = await server().createMerchant();
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  await openDashboard(page, server(), { merchant, path: '/live/balances', role: 'viewer' });

  await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
  t.is(await page.getByRole('button', { name: /Top up|test money/ }).count(), 0);
  t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
  t.deepEqual(await barriersOn(page), []);
});

test.serial('an error is shown beside its field, and typed text stays', async (t) => {
  const merchant = await fundedMerchant(server(), 100_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/transfers' });

  await page.route(/\/api\/v1\/wallets(\?|$)/, (route) => refuse(route, { status: 403, code: 'role_not_allowed' }));
  const dialog = await fillIn(page, { amount: '5,50' });
  await dialog.getByText('Your role does not allow this').waitFor();
  t.is(await dialog.getByText('wallet has').count(), 0, 'a balance that could not be read is not shown as 0');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Your Transfer wallet has ₦1,000.00').waitFor();

  await dialog.getByRole('button', { name: 'Review' }).click();
  await dialog.getByText('Enter an amount such as 5000.00.').waitFor();
  await dialog.getByLabel('Amount').fill('1,000.01');
  await dialog.getByText('This is ₦0.01 more than its balance.').waitFor();
  await send(dialog);

  await dialog.getByText('Your Transfer wallet balance is too low.').waitFor();
  t.is(await dialog.getByText(/Top it up|more than it has|refused this/).count(), 1, 'the error is shown once');
  const [balances] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Balances' }).click(),
  ]);
  await balances.waitForURL('**/test/balances');
  await merchant.client.testHelpers.fundWallet({ amount: 1 });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await dialog.getByText('Your Transfer wallet balance is too low.').waitFor({ state: 'detached' });
  t.is(await dialog.getByLabel('Recipient’s name').inputValue(), 'Grace Hopper');
  t.deepEqual(await references(merchant), []);
});

const paidPath = '/test/payments/order-1042';

test.serial('a refund whose response was lost is made once, even if the amount is changed afterwards', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath });
  const dialog = page.getByRole('dialog', { name: 'Refund payment' });
  const begin = async (amount: string) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.getByText('We do not know whether this was done.').waitFor();
  };
  const amounts = async () => (await merchant.client.refunds.list()).refunds.map(({ amount }) => amount);

  const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/payments/order-1042/refunds', times: 3 });
  await begin('1000');
  t.true(await dialog.getByLabel('Amount').isDisabled());
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.waitFor({ state: 'detached' });
  t.deepEqual(await amounts(), [100_000]);
  t.is(keys.length, 4);
  t.is(new Set(keys).size, 1);
  await page.unrouteAll();

  await loseAnswers(page, { method: 'POST', path: '/api/v1/payments/order-1042/refunds', times: 3 });
  await begin('2000');
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Amount').fill('1500');
  await dialog.getByRole('button', { name: /^Refund/ }).click();
  await dialog.getByText('This refund was already made').waitFor();
  t.deepEqual(await amounts(), [200_000, 100_000]);
});

test.serial(
  'a refund that exceeds the wallet or the payment is refused, and the error is shown beside the amount',
  async (t) => {
    const merchant = await paidMerchant(server(), 500_000);
    await merchant.client.wallets.topUp({ amount: 400_000, currency: 'NGN', reference: 'top-up-1' });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: paidPath });
    const dialog = page.getByRole('dialog', { name: 'Refund payment' });

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('Your Collection wallet has ₦1,000.00.').waitFor();
    await dialog.getByLabel('Amount').and(page.locator(':focus')).waitFor();
    await dialog.getByText('is taken from it at once').waitFor();
    await dialog.getByLabel('Amount').fill('5000.01');
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.getByText('Only ₦5,000.00 can still be refunded.').waitFor();
    t.is(await dialog.getByText('is taken from it at once').count(), 0);
    await dialog.getByLabel('Amount').fill('99999999999999999');
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.getByText('The amount can be ₦9,999,999,999.99 at most.').waitFor();
    await dialog.getByLabel('Amount').fill('5000');
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.getByText('Your Collection wallet balance is too low.').waitFor();
    t.is(await dialog.getByLabel('Amount').getAttribute('aria-invalid'), 'true');

    // The page must not learn about the second refund before the form is submitted, so this read of the payment fails.
    await page.route(/\/api\/v1\/payments\/order-1042$/, (route) => route.abort());
    await merchant.client.refunds.create('order-1042', { amount: 100_000 });
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await dialog.getByText('This is more than can still be refunded.').waitFor();
    t.deepEqual(await barriersOn(page), []);
  },
);

test.serial('a viewer sees the refunds of a payment, and no button to refund', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.refunds.create('order-1042', { amount: 100_000, reason: 'Too late' });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath, role: 'viewer' });

  await page.getByRole('table', { name: 'Refunds' }).getByText('Too late').waitFor();
  t.is(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
});

test.serial('the page of a payment says that it shows only some refunds, and the CSV file has all', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  for (let number = 1; number <= 101; number += 1) {
    await merchant.client.refunds.create('order-1042', { amount: number, reference: `refund-${number}` });
  }
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath });

  await page.getByText('Only the latest 100 of 101 refunds are shown. The export has all of them.').waitFor();
  const shown = await page.getByRole('table', { name: 'Refunds' }).getByRole('row').count();
  t.is(shown, 1 + 100);
  t.is(await page.getByText('refund-1', { exact: true }).count(), 0);
  await page
    .getByText('This payment has 101 refunds. Events and deliveries are shown for the newest 10 of them only.')
    .waitFor();
  t.deepEqual(await barriersOn(page), []);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await text(await download.createReadStream())).trim().split('\n').slice(1);
  t.is(lines.length, 101);
  t.is(lines.filter((line) => line.includes(',refund-1,order-1042,')).length, 1);
});

test.serial('the page says which webhooks cannot be sent again, and sends no webhook twice', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { checkout, deliveries, testHelpers, webhookEndpoints } = merchant.client;
  await webhookEndpoints.register({ url: receiver.url });
  const { id } = await webhookEndpoints.register({ url: `${receiver.url}/removed` });
  await checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });
  await testHelpers.completePayment('order-1042');
  await receiver.waitFor(2);
  await webhookEndpoints.remove(id);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042' });

  await page.getByRole('button', { name: 'Resend webhooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resend these webhooks?' });
  await dialog.getByRole('button', { name: 'Resend' }).click();
  await dialog.getByText('1 webhook was not sent, because its endpoint was removed. All others were resent.').waitFor();
  await receiver.waitFor(3);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await dialog.waitFor({ state: 'detached' });
  t.is((await deliveries.list()).total, 3);

  for (const { id: left } of (await webhookEndpoints.list()).webhooks) await webhookEndpoints.remove(left);
  await page.getByRole('button', { name: 'Resend webhooks' }).click();
  await dialog.getByRole('button', { name: 'Resend' }).click();
  const alert = dialog.getByRole('alert');
  await alert.waitFor();
  t.is(await alert.innerText(), '2 webhooks were not sent, because their endpoints were removed.');
});

test.serial(
  'a user makes one payment fail and cancels another, and the page explains an action that is no longer possible',
  async (t) => {
    const merchant = await server().createMerchant();
    await startCheckout(merchant, 'order-1042');
    const { checkoutUrl } = await startCheckout(merchant, 'order-1043');
    await payByForm(checkoutUrl, declinedCard);
    await startCheckout(merchant, 'order-1044');
    const { accessCode } = await startCheckout(merchant, 'order-1045');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042' });

    await page.getByRole('button', { name: 'Fail payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fail payment' }).click();
    await page.getByRole('definition').getByText('The card was declined (card_declined)').waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is(await page.getByRole('button', { name: 'Cancel', exact: true }).count(), 0);

    await page.goto(`${server().url}/dashboard/test/payments/order-1043`);
    await page.getByText('After a decline, the customer has at most 15 minutes to try again.').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this payment?' });
    await merchant.client.testHelpers.completePayment('order-1043');
    await dialog.getByRole('button', { name: 'Cancel payment' }).click();

    await dialog.getByRole('alert').getByText('The request was refused').waitFor();
    t.is((await merchant.client.payments.get('order-1043')).status, 'completed');

    await page.goto(`${server().url}/dashboard/test/payments/order-1045`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await leaveAttemptUndecided(server(), accessCode);
    await dialog.getByRole('button', { name: 'Cancel payment' }).click();

    await dialog.getByRole('alert').getByText('money may already be moving, so nothing was cancelled').waitFor();
    t.is((await merchant.client.payments.get('order-1045')).status, 'processing');

    await page.goto(`${server().url}/dashboard/test/payments/order-1044`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('the event checkout.expired is sent to your endpoints').waitFor();
    await dialog.getByRole('button', { name: 'Cancel payment' }).dblclick();
    await page.getByText('Payment cancelled.').waitFor();
    await page.getByText('Checkout cancelled').waitFor();
    await page.getByText(/^\S+@\S+ cancelled it\. It can no longer be paid\.$/).waitFor();
    await page.getByRole('link', { name: 'checkout.expired' }).waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is((await merchant.client.payments.get('order-1044')).status, 'expired');

    await startCheckout(merchant, 'order-1046');
    await merchant.client.payments.cancel('order-1046');
    await page.goto(`${server().url}/dashboard/test/payments/order-1046`);
    await page.getByText('It was cancelled with an API key. It can no longer be paid.').waitFor();

    const declined = await startCheckout(merchant, 'order-1047');
    await payByForm(declined.checkoutUrl, declinedCard);
    await merchant.client.payments.cancel('order-1047');
    await page.goto(`${server().url}/dashboard/test/payments`);
    await page.getByRole('link', { name: 'order-1047' }).waitFor();
    const badges = (reference: string) =>
      page.getByRole('row').filter({ hasText: reference }).locator('[data-tone]').allTextContents();
    t.deepEqual(await badges('order-1046'), ['Cancelled']);
    t.deepEqual(await badges('order-1047'), ['Failed', 'Cancelled']);
    await page.getByRole('link', { name: 'order-1047' }).click();
    await page.getByRole('term').filter({ hasText: 'Cancelled by' }).waitFor();
    await page.getByRole('definition').getByText('The merchant', { exact: true }).waitFor();
  },
);

test.serial('a viewer can read payments but not change them, and sees no payment of the other mode', async (t) => {
  const merchant = await server().createMerchant('🏪 متجر '.repeat(13));
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  await openDashboard(page, server(), { merchant, path: '/test/payments', role: 'viewer' });
  await page.getByRole('link', { name: 'order-1042' }).click();

  await page.getByText('Your role is viewer').waitFor();
  await page.getByText('Checkout created').waitFor();
  t.is(await page.getByRole('button', { name: /Complete|Fail|Cancel|Resend/ }).count(), 0);
  t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
  t.deepEqual(await barriersOn(page), []);
  await page.goto(`${server().url}/dashboard/live/payments/order-1042`);

  await page.getByText('Not found', { exact: true }).waitFor();
});

test.serial(
  'if a proxy answers in place of the service, the transfer is sent once, by an automatic retry or by the button',
  async (t) => {
    const merchant = await fundedMerchant(server(), 1_000_000);
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/transfers' });
    const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/transfers', times: 3, withPage: true });

    const dialog = await fillIn(page, { amount: '1000' });
    await send(dialog);
    await dialog.getByText('We do not know whether this was done.').waitFor();
    t.true(await dialog.getByLabel('Amount').isDisabled());
    await dialog.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('heading', { level: 1, name: /^₦1,000\.00 NGN to Grace Hopper$/ }).waitFor();
    t.is((await references(merchant)).length, 1);
    t.is(keys.length, 4);
    t.is(new Set(keys).size, 1);
  },
);
