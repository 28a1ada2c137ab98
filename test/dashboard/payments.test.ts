/** Payments in the dashboard: checkout links, webhooks of a payment, filters, and ending a payment. */
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { leaveAttemptUndecided, startCheckout } from '../support/money/payments.ts';
import { declinedCard } from '../support/pages/checkout-page.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('a checkout link is created and paid in test mode, and its webhooks are sent again', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByRole('heading', { name: 'There is no payment yet' }).waitFor();

  await page.getByRole('button', { name: 'Create a checkout link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a checkout link' });
  await dialog.getByLabel('Amount').fill('1999');
  await dialog.getByLabel('Currency').selectOption('JPY');
  await dialog.getByLabel('Customer’s email').fill('ada@example.com');
  await dialog.getByLabel('Description').fill('Two tickets <script>');
  await dialog
    .getByText(
      'The customer is asked for JP¥1,999. The link works for 24 hours, and after a declined card for 15 minutes more at most.',
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Create the link' }).dblclick();

  const made = page.getByRole('dialog', { name: 'Send this link' });
  t.true((await made.getByRole('code').textContent())?.startsWith(`${server().url}/checkout/`));
  t.is((await merchant.client.payments.list()).total, 1);
  await made.getByRole('link', { name: 'See the payment' }).click();

  await page.getByText('Two tickets <script>').waitFor();
  await page
    .getByText(
      'Nothing was sent yet. Your endpoints receive a webhook when the payment is completed, has failed or has expired.',
    )
    .waitFor();
  await page.getByRole('button', { name: 'Complete it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Complete it' }).click();
  await page.getByText('Payment completed').waitFor();
  await page.getByText('Attempt 1 with Visa •••• 4242 was accepted').waitFor();
  await page.getByRole('link', { name: /^checkout\.success was delivered to/ }).waitFor();
  await page.getByText('Visa •••• 4242').first().waitFor();
  await page.getByRole('button', { name: 'Resend webhooks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).dblclick();

  await page.getByRole('table', { name: 'Deliveries' }).getByRole('img', { name: 'sent again' }).first().waitFor();
  await page.getByRole('link', { name: /^checkout\.success was delivered to .*\(sent again\)$/ }).waitFor();
  await receiver.waitFor(2);
  t.is((await merchant.client.deliveries.list()).total, 2);

  await page.goto(`${server().url}/dashboard/live/payments`);
  await page.getByRole('button', { name: 'Create a checkout link' }).click();
  await dialog.getByLabel('Amount').fill('1999');
  await dialog.getByLabel('Customer’s email').fill('ada@example.com');
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await dialog.getByText('Nothing was changed, and to try again does not help').waitFor();
  t.is(await dialog.getByText('Whether it has happened is not known.').count(), 0);
});

test.serial(
  'webhooks that cannot be sent again are named, and those that were sent are not sent a second time',
  async (t) => {
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
    const dialog = page.getByRole('dialog', { name: 'Send these webhooks again?' });
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog
      .getByText('1 webhook was not sent, because its endpoint was removed. All others were sent again.')
      .waitFor();
    await receiver.waitFor(3);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await dialog.waitFor({ state: 'detached' });
    t.is((await deliveries.list()).total, 3);

    for (const { id: left } of (await webhookEndpoints.list()).webhooks) await webhookEndpoints.remove(left);
    await page.getByRole('button', { name: 'Resend webhooks' }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    t.is(await alert.innerText(), '2 webhooks were not sent, because their endpoints were removed.');
  },
);

test.serial(
  'payments are filtered by status, email, reference and amount, and the address keeps the filters',
  async (t) => {
    const merchant = await server().createMerchant();
    const { checkout, testHelpers } = merchant.client;
    await checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });
    await checkout.create({ email: 'grace@example.com', amount: 700_000, reference: 'order-1043' });
    await checkout.create({ email: 'grace@example.com', amount: 7_000, currency: 'JPY', reference: 'order-1044' });
    await testHelpers.completePayment('order-1043');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments?status=neither&minAmount=x&page=9' });
    const table = page.getByRole('table', { name: 'Payments' });
    const shows = async (...expected: string[]) => {
      // The earlier list may have the same length, and is shown until the answer comes.
      await table.getByRole('link', { name: expected[0] ?? '' }).waitFor();
      await page.getByText(`1–${expected.length} of ${expected.length}`).waitFor();
      t.deepEqual(await table.getByRole('link').allTextContents(), expected);
    };
    await page.getByRole('heading', { name: 'This page is empty' }).waitFor();
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await shows('order-1044', 'order-1043', 'order-1042');

    await page.getByLabel('Amount from').fill('6,000');
    await shows('order-1043');
    t.is(new URL(page.url()).searchParams.get('minAmount'), '600000');
    await page.getByLabel('Currency').selectOption('JPY');
    await shows('order-1044');
    t.is(await page.getByLabel('Amount from (JPY)').inputValue(), '6000');
    t.is(new URL(page.url()).search, '?minAmount=6000&currency=JPY');
    await page.getByLabel('Currency').selectOption('NGN');
    await shows('order-1043');
    await page.getByLabel('Amount from').fill('lots');
    await page.getByText('An amount such as 5000.00').waitFor();
    await page.getByLabel('Amount to').fill('5000');
    await page.getByText('Amount from is more than Amount to. Change or clear the filters above.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Reference').fill('order-104');
    await page.getByText('A reference is found only when the whole of it is typed.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Email').fill('ADA@example.com');
    await shows('order-1042');
    await page.reload();
    await shows('order-1042');
    t.is(await page.getByLabel('Email').inputValue(), 'ADA@example.com');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows('order-1044', 'order-1043', 'order-1042');
    t.is(
      await table.locator('[data-fresh]').count(),
      0,
      'a record that an earlier filter left out is not marked as new',
    );
    await page.getByLabel('Status').selectOption('failed');

    await page.getByRole('heading', { name: 'No payment matches' }).waitFor();
  },
);

test.serial(
  'one payment is failed, another is cancelled, and an act that is not possible any more is explained',
  async (t) => {
    const merchant = await server().createMerchant();
    await startCheckout(merchant, 'order-1042');
    const { checkoutUrl } = await startCheckout(merchant, 'order-1043');
    await payByForm(checkoutUrl, declinedCard);
    await startCheckout(merchant, 'order-1044');
    const { accessCode } = await startCheckout(merchant, 'order-1045');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042' });

    await page.getByRole('button', { name: 'Fail it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fail it' }).click();
    await page.getByRole('definition').getByText('The card was declined (card_declined)').waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is(await page.getByRole('button', { name: 'Cancel', exact: true }).count(), 0);

    await page.goto(`${server().url}/dashboard/test/payments/order-1043`);
    await page.getByText('After a declined card there are 15 minutes at most to try again.').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this payment?' });
    await merchant.client.testHelpers.completePayment('order-1043');
    await dialog.getByRole('button', { name: 'Cancel the payment' }).click();

    await dialog.getByRole('alert').getByText('The service refused this').waitFor();
    t.is((await merchant.client.payments.get('order-1043')).status, 'completed');

    await page.goto(`${server().url}/dashboard/test/payments/order-1045`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await leaveAttemptUndecided(server(), accessCode);
    await dialog.getByRole('button', { name: 'Cancel the payment' }).click();

    await dialog.getByRole('alert').getByText('money may already be moving, so nothing was cancelled').waitFor();
    t.is((await merchant.client.payments.get('order-1045')).status, 'processing');

    await page.goto(`${server().url}/dashboard/test/payments/order-1044`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('the event checkout.expired is sent to your endpoints').waitFor();
    await dialog.getByRole('button', { name: 'Cancel the payment' }).dblclick();
    await page.getByText('The payment is cancelled and can no longer be paid.').waitFor();
    await page.getByText('Checkout cancelled').waitFor();
    await page.getByText(/^\S+@\S+ cancelled it\. It can no longer be paid\.$/).waitFor();
    await page.getByRole('link', { name: 'checkout.expired' }).waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is((await merchant.client.payments.get('order-1044')).status, 'expired');

    await startCheckout(merchant, 'order-1046');
    await merchant.client.payments.cancel('order-1046');
    await page.goto(`${server().url}/dashboard/test/payments/order-1046`);
    await page.getByText('A program cancelled it with a key. It can no longer be paid.').waitFor();

    const declined = await startCheckout(merchant, 'order-1047');
    await payByForm(declined.checkoutUrl, declinedCard);
    await merchant.client.payments.cancel('order-1047');
    await page.goto(`${server().url}/dashboard/test/payments`);
    await page.getByRole('link', { name: 'order-1047' }).waitFor();
    const badges = (reference: string) =>
      page.getByRole('row').filter({ hasText: reference }).locator('[data-tone]').allTextContents();
    t.deepEqual(await badges('order-1046'), ['cancelled']);
    t.deepEqual(await badges('order-1047'), ['failed', 'cancelled']);
    await page.getByRole('link', { name: 'order-1047' }).click();
    await page.getByRole('term').filter({ hasText: 'Cancelled by' }).waitFor();
    await page.getByRole('definition').getByText('The merchant', { exact: true }).waitFor();
  },
);

test.serial('a viewer can read payments but not change them, and sees none of the other mode', async (t) => {
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

  await page.getByText('There is no such thing here').waitFor();
});
