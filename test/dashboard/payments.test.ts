/** Payments in the dashboard: checkout links, webhooks of a payment, filters, refunds, and ending a payment. */
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { paidMerchant } from '../support/money/refunds.ts';
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

const paidPath = '/test/payments/order-1042';

test.serial('a payment is refunded in part, and then the rest, and its page tells what became of each', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath });
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  const table = page.getByRole('table', { name: 'Refunds' });

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '5000.00');
  await dialog.getByText('Of ₦5,000.00 left.').waitFor();
  await dialog.getByLabel('Amount').fill('5,000.01');
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('Only ₦5,000.00 is left of this payment.').waitFor();
  await dialog.getByLabel('Amount').fill('2,000');
  await dialog.getByLabel('Reason').fill('One ticket was returned');
  await dialog.getByText('₦2,000.00 leaves it at once').waitFor();
  await dialog.getByRole('button', { name: 'Refund it' }).dblclick();

  await table.getByRole('row', { name: /₦2,000\.00 completed One ticket was returned/ }).waitFor();
  await page.getByRole('definition').getByText('₦2,000.00 of ₦5,000.00').waitFor();
  await page.getByText('partly refunded: ₦2,000.00', { exact: true }).waitFor();
  await page.getByText('Refund of ₦2,000.00 completed').waitFor();
  await page.getByRole('link', { name: /^refund\.success was delivered to/ }).waitFor();
  t.deepEqual(await barriersOn(page), []);

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '3000.00');
  await dialog.getByRole('button', { name: 'Refund it' }).click();

  await table.getByRole('row', { name: /₦3,000\.00 completed/ }).waitFor();
  await page.getByRole('definition').getByText('₦5,000.00 of ₦5,000.00').waitFor();
  t.is(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
  const { refunds } = await merchant.client.refunds.list();
  t.deepEqual(
    refunds.map(({ amount, reason, origin }) => ({ amount, reason, origin })),
    [
      { amount: 300_000, reason: null, origin: 'dashboard' },
      { amount: 200_000, reason: 'One ticket was returned', origin: 'dashboard' },
    ],
  );

  await page.getByRole('link', { name: 'refund.success', exact: true }).first().click();
  await page.getByRole('link', { name: refunds[1]?.reference ?? '' }).click();
  await page.waitForURL(`**${paidPath}`);
  await page.goto(`${server().url}/dashboard/test/payments`);
  await page.getByRole('row', { name: 'order-1042' }).getByText('refunded', { exact: true }).waitFor();
  await page.goto(`${server().url}/dashboard/test/balances`);
  await page.getByRole('link', { name: refunds[0]?.reference ?? '' }).click();
  await page.waitForURL(`**${paidPath}`);
});
