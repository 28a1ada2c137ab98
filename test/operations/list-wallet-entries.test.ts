import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 lists every movement of a wallet with the balance after it, newest first', async (t) => {
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

test('200 skips offset records, returns at most limit, and filters by time', async (t) => {
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

test('200 filters by the reference of the payment or transfer', async (t) => {
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

test('200 for the currency of the query', async (t) => {
  const { client } = await fundedMerchant(server());
  await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' });

  const { entries, total } = await client.wallets.listEntries('transfer', { currency: 'USD' });

  t.is(total, 1);
  t.like(entries[0], { amount: 5, currency: 'USD' });
  t.is((await client.wallets.listEntries('transfer', { currency: 'EUR' })).total, 0);
});

test('200 shows nothing of another merchant, the other mode or the other wallet', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);

  t.is((await other.client.wallets.listEntries('transfer')).total, 0);
  t.is((await owner.liveClient.wallets.listEntries('transfer')).total, 0);
  t.is((await owner.client.wallets.listEntries('collection')).total, 0);
});

test('400 when the wallet has several currencies and the query names none', async (t) => {
  const { client } = await fundedMerchant(server());
  await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' });

  const error = await t.throwsAsync(client.wallets.listEntries('transfer'), { instanceOf: ValidationError });

  t.like(error, { code: 'missing_parameter', param: 'currency' });
});

test('400 when the currency does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.wallets.listEntries('transfer', { currency: 'ABC' }));

  t.like(error, { code: 'unsupported_currency', param: 'currency' });
});

test('400 when the kind of wallet does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.wallets.listEntries('savings' as never));

  t.like(error, { code: 'invalid_parameter', param: 'kind' });
});
