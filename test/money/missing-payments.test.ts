import { creditMissingPayments } from '@tillhook/server/src/payments/credit-missing-payments.job.ts';
import test from 'ava';
import { insertPayment } from '../support/database/empty-database.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api' });

const creditMissing = () => creditMissingPayments(server().context, { hours: 1 });

test('a payment that a version without a ledger completed is credited once, even by two jobs at once', async (t) => {
  const merchant = await server().createMerchant();
  await merchant.client.testHelpers.completePayment((await startCheckout(merchant)).reference);
  for (let count = 0; count < 20; count += 1) await insertPayment(server().database, merchant.id);

  await Promise.all([creditMissing(), creditMissing()]);
  await creditMissing();

  t.is((await merchant.client.wallets.list()).wallets[0]?.available, 502_000);
  t.is((await merchant.client.wallets.listEntries('collection')).total, 21);
  t.deepEqual(await ledgerBreaches(server()), []);
});

test('only completed payments are credited', async (t) => {
  const merchant = await server().createMerchant();
  for (const status of ['failed', 'expired', 'processing'])
    await insertPayment(server().database, merchant.id, { status });

  await creditMissing();

  t.is((await merchant.client.wallets.listEntries('collection')).total, 0);
});
