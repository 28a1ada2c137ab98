import { PermissionError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 returns the Transfer wallet with the new balance', async (t) => {
  const { client } = await server().createMerchant();
  await client.testHelpers.fundWallet({ amount: 1 });

  const wallet = await client.testHelpers.fundWallet({ amount: 1000 });

  t.deepEqual(wallet, { kind: 'transfer', currency: 'NGN', available: 1001, reserved: 0 });
  const { entries } = await client.wallets.listEntries('transfer');
  t.like(entries[0], { type: 'test_funding', amount: 1000, balance: 1001, reference: null });
});

test('200 in another currency', async (t) => {
  const { client } = await server().createMerchant();

  const wallet = await client.testHelpers.fundWallet({ amount: 7, currency: 'USD' });

  t.deepEqual(wallet, { kind: 'transfer', currency: 'USD', available: 7, reserved: 0 });
});

test('400 when the amount is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.is(
    (await t.throwsAsync(client.testHelpers.fundWallet({ amount: 0 }), { instanceOf: ValidationError }))?.param,
    'amount',
  );
});

test('400 when the wallet would exceed the safe integers of JSON, and nothing is funded', async (t) => {
  const { id, client } = await server().createMerchant();
  await server().arrange('fundTestWallet', { merchantId: id, amount: Number.MAX_SAFE_INTEGER - 1 });

  const attempt = client.testHelpers.fundWallet({ amount: 2 });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), { code: 'invalid_parameter', param: 'amount' });
  t.is((await client.testHelpers.fundWallet({ amount: 1 })).available, Number.MAX_SAFE_INTEGER);
});

test('403 with a live key, and no live wallet changes', async (t) => {
  const { liveClient } = await server().createMerchant();

  const attempt = liveClient.testHelpers.fundWallet({ amount: 1000 });

  t.is((await t.throwsAsync(attempt, { instanceOf: PermissionError }))?.code, 'test_mode_only');
  t.is((await liveClient.wallets.list()).wallets[1]?.available, 0);
});
