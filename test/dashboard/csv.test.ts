/** Lists of the dashboard that are saved as CSV files. */
import { text } from 'node:stream/consumers';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard, refuse } from '../support/dashboard/dashboard.ts';
import { startCheckout } from '../support/money/payments.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

async function saved(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines: Record<string, string>[] = parse(await text(await download.createReadStream()), { columns: true });
  return { name: download.suggestedFilename().replace(/\d{4}-\d{2}-\d{2}/, 'DATE'), lines };
}

test.serial('payments, transfers and a statement are saved, with the filters of the page', async (t) => {
  const merchant = await fundedMerchant(server(), 10_000);
  await startCheckout(merchant, 'order-1');
  await startCheckout(merchant, 'order-2');
  await merchant.client.payments.cancel('order-2');
  await merchant.client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient() });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments?status=expired' });

  const payments = await saved(page);
  await page.goto(`${server().url}/dashboard/test/transfers`);
  const transfers = await saved(page);
  await page.goto(`${server().url}/dashboard/test/balances?kind=transfer`);
  const entries = await saved(page);

  t.is(payments.name, 'payments-test-DATE.csv');
  t.deepEqual(
    payments.lines.map(({ reference, status }) => [reference, status]),
    [['order-2', 'expired']],
  );
  t.is(transfers.name, 'transfers-test-DATE.csv');
  t.deepEqual(
    transfers.lines.map(({ reference, amount }) => [reference, amount]),
    [['payout-1', '300']],
  );
  t.is(entries.name, 'transfer-NGN-test-DATE.csv');
  t.deepEqual(
    entries.lines.map(({ type, amount }) => [type, amount]),
    [
      ['transfer', '-300'],
      ['test_funding', '10000'],
    ],
  );
});

test.serial('a refusal is shown, and the file can be asked for again', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByText('order-1').waitFor();
  const isCsv = (accept = '') => accept === 'text/csv';
  await page.route('**/api/v1/payments?*', (route) =>
    isCsv(route.request().headers().accept) ? refuse(route, { status: 500, code: 'internal_error' }) : route.fallback(),
  );
  await page.route('**/api/v1/payments', (route) => refuse(route, { status: 500, code: 'internal_error' }));

  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  await page.unrouteAll();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    alert.getByRole('button', { name: 'Try again' }).click(),
  ]);

  const file = await text(await download.createReadStream());

  t.true(file.includes('order-1'));
  await alert.waitFor({ state: 'detached' });
});
