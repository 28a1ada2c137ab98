import test from 'ava';
import { startCheckout } from '../support/money/payments.ts';
import { fundedMerchant } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const wallet = (kind: 'collection' | 'transfer', currency: string, available = 0) => ({
  kind,
  currency,
  available,
  reserved: 0,
});

test("200 lists empty wallets in the merchant's currency before anything moved", async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.wallets.list(), {
    wallets: [wallet('collection', 'NGN'), wallet('transfer', 'NGN')],
    total: 2,
  });
});

test('200 has a completed payment in the Collection wallet', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);

  await merchant.client.testHelpers.completePayment(reference);

  const { wallets } = await merchant.client.wallets.list();
  t.deepEqual(wallets, [wallet('collection', 'NGN', 500_000), wallet('transfer', 'NGN')]);
});

test('200 lists every other currency with entries, by currency and then kind', async (t) => {
  const { client } = await fundedMerchant(server());
  await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' });
  await client.testHelpers.fundWallet({ amount: 7, currency: 'EUR' });

  t.deepEqual((await client.wallets.list()).wallets, [
    wallet('collection', 'EUR'),
    wallet('transfer', 'EUR', 7),
    wallet('collection', 'NGN'),
    wallet('transfer', 'NGN', 1000),
    wallet('collection', 'USD'),
    wallet('transfer', 'USD', 5),
  ]);
});

test('200 is complete for any limit and offset', async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.wallets.list({ limit: 1, offset: 1 }), await client.wallets.list());
});

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);

  for (const client of [other.client, owner.liveClient]) {
    t.deepEqual((await client.wallets.list()).wallets, [wallet('collection', 'NGN'), wallet('transfer', 'NGN')]);
  }
});

test('400 when limit is zero, though it has no effect', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.wallets.list({ limit: 0 })), { code: 'invalid_parameter', param: 'limit' });
});
