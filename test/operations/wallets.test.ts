import { ConflictError, TransferError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { startCheckout } from '../support/money/payments.ts';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const wallet = (kind: 'collection' | 'transfer', currency: string, available = 0) => ({
  kind,
  currency,
  available,
  reserved: 0,
});

test("listWallets 200 lists empty wallets in the merchant's currency before the first payment", async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.wallets.list(), {
    wallets: [wallet('collection', 'NGN'), wallet('transfer', 'NGN')],
    total: 2,
  });
});

test('listWallets 200 has the amount of a completed payment in the Collection wallet', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);

  await merchant.client.testHelpers.completePayment(reference);

  const { wallets } = await merchant.client.wallets.list();
  t.deepEqual(wallets, [wallet('collection', 'NGN', 500_000), wallet('transfer', 'NGN')]);
});

test('listWallets 200 lists every other currency with entries, sorted by currency and then by kind', async (t) => {
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

test('listWallets 200 is complete for any `limit` and `offset`', async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.wallets.list({ limit: 1, offset: 1 }), await client.wallets.list());
});

test('listWallets 200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);

  for (const client of [other.client, owner.liveClient]) {
    t.deepEqual((await client.wallets.list()).wallets, [wallet('collection', 'NGN'), wallet('transfer', 'NGN')]);
  }
});

test('listWallets 400 when `limit` is zero, although `limit` has no effect', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.wallets.list({ limit: 0 })), { code: 'invalid_parameter', param: 'limit' });
});

test('listWalletEntries 200 lists every movement of a wallet with the balance after it, newest first', async (t) => {
  const merchant = await fundedMerchant(server());
  const { client } = merchant;
  await chargeFee(server(), merchant, 25);
  await client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient('0000000001') });
  await waitForTransfer('failed', merchant, 'payout-1');
  await client.transfers.create({ reference: 'payout-2', amount: 400, recipient: recipient() });

  const { entries, total } = await client.wallets.listEntries('transfer');

  t.is(total, 7);
  t.deepEqual(
    entries.map(({ type, amount, balance, reference }) => [type, amount, balance, reference]),
    [
      ['fee', -25, 575, 'payout-2'],
      ['transfer', -400, 600, 'payout-2'],
      ['fee', 25, 1000, 'payout-1'],
      ['transfer_return', 300, 975, 'payout-1'],
      ['fee', -25, 675, 'payout-1'],
      ['transfer', -300, 700, 'payout-1'],
      ['test_funding', 1000, 1000, null],
    ],
  );
});

test('listWalletEntries 200 skips `offset` records, returns at most `limit`, and filters by time', async (t) => {
  const { client } = await fundedMerchant(server(), 1);
  await client.testHelpers.fundWallet({ amount: 2 });
  await client.testHelpers.fundWallet({ amount: 3 });
  const [newest] = (await client.wallets.listEntries('transfer')).entries;

  const page = await client.wallets.listEntries('transfer', { limit: 1, offset: 1 });

  t.like(page, { total: 3, entries: [{ amount: 2, balance: 3, kind: 'transfer', currency: 'NGN' }] });
  t.is((await client.wallets.listEntries('transfer', { to: '2020-01-01T00:00:00Z' })).total, 0);
  const since = await client.wallets.listEntries('transfer', { from: newest?.createdAt ?? '' });
  t.deepEqual(since.entries[0], newest);
});

test('listWalletEntries 200 filters by the reference of the payment or transfer', async (t) => {
  const merchant = await fundedMerchant(server());
  const { client } = merchant;
  const stranger = await fundedMerchant(server());
  for (const { client: of, number } of [
    { client, number: '0000000001' },
    { client: stranger.client, number: '0000000002' },
  ]) {
    await of.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient(number) });
  }
  await waitForTransfer('failed', merchant, 'payout-1');
  const { createdAt } = await client.transfers.create({ reference: 'payout-2', amount: 9, recipient: recipient() });
  const movements = async (filter: Parameters<typeof client.wallets.listEntries>[1]) => {
    const { entries, total } = await client.wallets.listEntries('transfer', filter);
    return [total, ...entries.map(({ type, amount }) => `${type} ${amount}`)];
  };

  t.deepEqual(await movements({ reference: 'payout-1' }), [2, 'transfer_return 300', 'transfer -300']);
  t.deepEqual(await movements({ reference: 'payout-1', limit: 1 }), [2, 'transfer_return 300']);
  t.deepEqual(await movements({ reference: 'payout-2', to: createdAt }), [0]);
  t.deepEqual(await movements({ reference: 'payout-3' }), [0]);
});

test('listWalletEntries 200 lists only the entries in the currency of the query', async (t) => {
  const { client } = await fundedMerchant(server());
  await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' });

  const { entries, total } = await client.wallets.listEntries('transfer', { currency: 'USD' });

  t.is(total, 1);
  t.like(entries[0], { amount: 5, currency: 'USD' });
  t.is((await client.wallets.listEntries('transfer', { currency: 'EUR' })).total, 0);
});

test('listWalletEntries 200 shows nothing of another merchant, the other mode or the merchant’s other wallet', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);

  t.is((await other.client.wallets.listEntries('transfer')).total, 0);
  t.is((await owner.liveClient.wallets.listEntries('transfer')).total, 0);
  t.is((await owner.client.wallets.listEntries('collection')).total, 0);
});

test('listWalletEntries 400 when the wallet has several currencies and the query names no currency', async (t) => {
  const { client } = await fundedMerchant(server());
  await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' });

  const error = await t.throwsAsync(client.wallets.listEntries('transfer'), { instanceOf: ValidationError });

  t.like(error, { code: 'missing_parameter', param: 'currency' });
});

test('listWalletEntries 400 when the currency does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.wallets.listEntries('transfer', { currency: 'ABC' }));

  t.like(error, { code: 'unsupported_currency', param: 'currency' });
});

test('listWalletEntries 400 when the kind of wallet does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.wallets.listEntries('savings' as never));

  t.like(error, { code: 'invalid_parameter', param: 'kind' });
});

async function paidMerchant() {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  await merchant.client.testHelpers.completePayment(reference);
  return merchant;
}

test('topUpTransferWallet 201 moves money from the Collection wallet to the Transfer wallet', async (t) => {
  const { client } = await paidMerchant();

  const wallet = await client.wallets.topUp({ amount: 200_000, reference: 'top-up-1' });

  t.deepEqual(wallet, { kind: 'transfer', currency: 'NGN', available: 200_000, reserved: 0 });
  t.is((await client.wallets.list()).wallets[0]?.available, 300_000);
  for (const [kind, amount] of [
    ['collection', -200_000],
    ['transfer', 200_000],
  ] as const) {
    const { entries } = await client.wallets.listEntries(kind);
    t.like(entries[0], { type: 'top_up', amount, reference: 'top-up-1' });
  }
});

test('topUpTransferWallet 201 generates a reference if the body has no reference', async (t) => {
  const { client } = await paidMerchant();

  await client.wallets.topUp({ amount: 1 });

  const { entries } = await client.wallets.listEntries('transfer');
  t.regex(entries[0]?.reference ?? '', /^ref_/);
});

test('topUpTransferWallet 400 when the currency does not exist', async (t) => {
  const { client } = await paidMerchant();

  const attempt = client.wallets.topUp({ amount: 1, currency: 'ABC' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.code, 'unsupported_currency');
});

test('topUpTransferWallet 409 when an earlier top-up has the same reference, and no money moves', async (t) => {
  const { client } = await paidMerchant();
  await client.wallets.topUp({ amount: 1, reference: 'top-up-1' });

  const attempt = client.wallets.topUp({ amount: 2, reference: 'top-up-1' });

  t.like(await t.throwsAsync(attempt, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.is((await client.wallets.list()).wallets[1]?.available, 1);
});

test('topUpTransferWallet 409 when an earlier top-up has the same reference, even if that top-up emptied the wallet', async (t) => {
  const { client } = await paidMerchant();
  await client.wallets.topUp({ amount: 500_000, reference: 'top-up-1' });

  const attempt = client.wallets.topUp({ amount: 500_000, reference: 'top-up-1' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ConflictError }))?.code, 'duplicate_reference');
});

test('topUpTransferWallet 422 when the Collection wallet holds too little, and no money moves', async (t) => {
  const { client } = await paidMerchant();

  const attempt = client.wallets.topUp({ amount: 500_001 });

  t.is((await t.throwsAsync(attempt, { instanceOf: TransferError }))?.code, 'insufficient_funds');
  t.is((await client.wallets.list()).wallets[0]?.available, 500_000);
  t.is((await client.wallets.listEntries('transfer')).total, 0);
});
