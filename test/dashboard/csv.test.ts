import { text } from 'node:stream/consumers';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { startCheckout } from '../support/money/payments.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'payments, transfers, a wallet statement, deliveries and the audit log are saved as CSV, with the filters of the page',
  async (t) => {
    const merchant = await fundedMerchant(server(), 10_000);
    await startCheckout(merchant, 'order-1');
    await startCheckout(merchant, 'order-2');
    await merchant.client.payments.cancel('order-2');
    await merchant.client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient() });
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await insertDeliveries(server(), merchant, { webhookId, reference: 'order-77' });
    await insertDeliveries(server(), merchant, { webhookId, reference: 'order-77', status: 'delivered' });
    const ada = await signIn(server(), merchant);
    await ada.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { name: 'Ada’s Bookshop' } });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments?status=expired' });

    const payments = await saved(page);
    await page.goto(`${server().url}/dashboard/test/transfers`);
    const transfers = await saved(page);
    await page.goto(`${server().url}/dashboard/test/balances?kind=transfer`);
    const entries = await saved(page);
    await page.goto(`${server().url}/dashboard/test/deliveries?status=failed&reference=order-77`);
    const deliveries = await saved(page);
    await page.goto(`${server().url}/dashboard/test/settings?tab=audit&action=updateSettings`);
    const acts = await saved(page);

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
    t.is(deliveries.name, 'deliveries-test-DATE.csv');
    t.deepEqual(
      deliveries.lines.map(({ reference, status }) => [reference, status]),
      [['order-77', 'failed']],
    );
    t.is(acts.name, 'audit-log-test-DATE.csv');
    t.deepEqual(
      acts.lines.map(({ action, 'actor.email': email }) => [action, email]),
      [['updateSettings', ada.email]],
    );
  },
);

async function saved(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines: Record<string, string>[] = parse(await text(await download.createReadStream()), { columns: true });
  return { name: download.suggestedFilename().replace(/\d{4}-\d{2}-\d{2}/, 'DATE'), lines };
}
