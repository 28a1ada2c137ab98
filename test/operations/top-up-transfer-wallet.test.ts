import { ConflictError, TransferError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { startCheckout } from '../support/money/payments.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

/** A merchant whose Collection wallet holds 500,000. */
async function paidMerchant() {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  await merchant.client.testHelpers.completePayment(reference);
  return merchant;
}

test('201 moves money from the Collection wallet to the Transfer wallet', async (t) => {
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

test('201 generates a reference if none was given', async (t) => {
  const { client } = await paidMerchant();

  await client.wallets.topUp({ amount: 1 });

  const { entries } = await client.wallets.listEntries('transfer');
  t.regex(entries[0]?.reference ?? '', /^ref_/);
});

test('400 when the currency does not exist', async (t) => {
  const { client } = await paidMerchant();

  const attempt = client.wallets.topUp({ amount: 1, currency: 'ABC' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.code, 'unsupported_currency');
});

test('409 when an earlier top-up has this reference, and no money moves', async (t) => {
  const { client } = await paidMerchant();
  await client.wallets.topUp({ amount: 1, reference: 'top-up-1' });

  const attempt = client.wallets.topUp({ amount: 2, reference: 'top-up-1' });

  t.like(await t.throwsAsync(attempt, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.is((await client.wallets.list()).wallets[1]?.available, 1);
});

test('409 when an earlier top-up has this reference, also when it took the money that the wallet had', async (t) => {
  const { client } = await paidMerchant();
  await client.wallets.topUp({ amount: 500_000, reference: 'top-up-1' });

  const attempt = client.wallets.topUp({ amount: 500_000, reference: 'top-up-1' });

  t.is((await t.throwsAsync(attempt, { instanceOf: ConflictError }))?.code, 'duplicate_reference');
});

test('422 when the Collection wallet holds too little, and no money moves', async (t) => {
  const { client } = await paidMerchant();

  const attempt = client.wallets.topUp({ amount: 500_001 });

  t.is((await t.throwsAsync(attempt, { instanceOf: TransferError }))?.code, 'insufficient_funds');
  t.is((await client.wallets.list()).wallets[0]?.available, 500_000);
  t.is((await client.wallets.listEntries('transfer')).total, 0);
});
