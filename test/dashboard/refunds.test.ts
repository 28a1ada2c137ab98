/** Refunds in the dashboard: from the page of a payment, and back to it from an event and a wallet entry. */
import { text } from 'node:stream/consumers';
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard } from '../support/dashboard/dashboard.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();
const path = '/test/payments/order-1042';

test.serial('a payment is refunded in part, and then the rest, and its page tells what became of each', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path });
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
  await page.waitForURL(`**${path}`);
  await page.goto(`${server().url}/dashboard/test/payments`);
  await page.getByRole('row', { name: 'order-1042' }).getByText('refunded', { exact: true }).waitFor();
  await page.goto(`${server().url}/dashboard/test/balances`);
  await page.getByRole('link', { name: refunds[0]?.reference ?? '' }).click();
  await page.waitForURL(`**${path}`);
});

test.serial('a refund whose answer was lost is made once, even if the amount is changed after that', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path });
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  const begin = async (amount: string) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByRole('button', { name: 'Refund it' }).click();
    await dialog.getByText('Whether it has happened is not known.').waitFor();
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
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await dialog.getByLabel('Amount').fill('1500');
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('This refund was made already').waitFor();
  t.deepEqual(await amounts(), [200_000, 100_000]);
});

test.serial('a refund that the wallet or the payment is too small for is refused at the amount', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.wallets.topUp({ amount: 400_000, currency: 'NGN', reference: 'top-up-1' });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path });
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog.getByText('Your Collection wallet has ₦1,000.00.').waitFor();
  await dialog.getByLabel('Amount').and(page.locator(':focus')).waitFor();
  await dialog.getByText('leaves it at once').waitFor();
  await dialog.getByLabel('Amount').fill('5000.01');
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('Only ₦5,000.00 is left of this payment.').waitFor();
  t.is(await dialog.getByText('leaves it at once').count(), 0);
  await dialog.getByLabel('Amount').fill('99999999999999999');
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('The amount can be ₦9,999,999,999.99 at most.').waitFor();
  await dialog.getByLabel('Amount').fill('5000');
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('Your Collection wallet holds too little.').waitFor();
  t.is(await dialog.getByLabel('Amount').getAttribute('aria-invalid'), 'true');

  // The page does not learn of the other refund before the dialog is sent.
  await page.route(/\/api\/v1\/payments\/order-1042$/, (route) => route.abort());
  await merchant.client.refunds.create('order-1042', { amount: 100_000 });
  await dialog.getByRole('button', { name: 'Refund it' }).click();
  await dialog.getByText('That is more than is left of this payment.').waitFor();
  t.deepEqual(await barriersOn(page), []);
});

test.serial('a viewer sees the refunds of a payment, and no button to refund', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.refunds.create('order-1042', { amount: 100_000, reason: 'Too late' });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path, role: 'viewer' });

  await page.getByRole('table', { name: 'Refunds' }).getByText('Too late').waitFor();
  t.is(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
});

test.serial('a payment with more refunds than its page shows says so, and the file has all', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  for (let number = 1; number <= 101; number += 1) {
    await merchant.client.refunds.create('order-1042', { amount: number, reference: `refund-${number}` });
  }
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path });

  await page.getByText('Only the newest 100 of 101 refunds are shown. The file has all.').waitFor();
  const shown = await page.getByRole('table', { name: 'Refunds' }).getByRole('row').count();
  t.is(shown, 1 + 100);
  t.is(await page.getByText('refund-1', { exact: true }).count(), 0);
  await page
    .getByText('This payment has 101 refunds. Events and deliveries are shown for the newest 10 of them only.')
    .waitFor();
  t.deepEqual(await barriersOn(page), []);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = (await text(await download.createReadStream())).trim().split('\n').slice(1);
  t.is(lines.length, 101);
  t.is(lines.filter((line) => line.includes(',refund-1,order-1042,')).length, 1);
});
