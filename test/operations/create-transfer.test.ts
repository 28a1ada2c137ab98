import { ConflictError, ProcessorError, TransferError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const reference = 'payout-77';

test('201 returns a pending transfer whose amount is reserved', async (t) => {
  const { client } = await fundedMerchant(server());

  const transfer = await client.transfers.create({
    reference,
    amount: 300,
    recipient: recipient('0000000002'),
    narration: 'November invoice',
    metadata: { invoice: '2026-11' },
  });

  t.like(transfer, {
    reference,
    amount: 300,
    fee: 0,
    currency: 'NGN',
    status: 'pending',
    recipient: { name: 'Grace Hopper', accountNumberLast4: '0002', bankCode: '058' },
    narration: 'November invoice',
    metadata: { invoice: '2026-11' },
    failureCode: null,
    mode: 'test',
    completedAt: null,
  });
  t.like((await client.wallets.list()).wallets[1], { kind: 'transfer', available: 700, reserved: 300 });
});

test("201 reserves the merchant's fee too, and a later change of the fee does not apply", async (t) => {
  const merchant = await fundedMerchant(server());
  await chargeFee(server(), merchant, 25);

  const { fee } = await merchant.client.transfers.create({ reference, amount: 975, recipient: recipient() });
  await chargeFee(server(), merchant, 99);

  t.is(fee, 25);
  t.is((await merchant.client.transfers.get(reference)).fee, 25);
  t.is((await merchant.client.wallets.list()).wallets[1]?.available, 0);
});

test('201 in another currency, without a fee', async (t) => {
  const merchant = await fundedMerchant(server());
  await chargeFee(server(), merchant, 25);
  await merchant.client.testHelpers.fundWallet({ amount: 500, currency: 'USD' });

  const details = { reference, amount: 500, currency: 'USD', recipient: recipient() };
  const transfer = await merchant.client.transfers.create(details);

  t.like(transfer, { currency: 'USD', fee: 0 });
});

test('201 encrypts the account number, and no column contains it in clear text', async (t) => {
  const { client } = await fundedMerchant(server());

  const { id } = await client.transfers.create({ reference, amount: 1, recipient: recipient('9876543210') });

  const [row] = await server().database.query('select * from transfer where id = $1', [id]);
  t.notRegex(JSON.stringify(row), /9876543210/);
  const sealed = String(row?.sealed_account_number);
  t.is(await server().arrange('unseal', { sealed, id }), '9876543210');
});

test('400 when the currency does not exist', async (t) => {
  const { client } = await fundedMerchant(server());

  const attempt = client.transfers.create({ reference, amount: 1, currency: 'ABC', recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), {
    code: 'unsupported_currency',
    param: 'currency',
  });
});

const refused: [situation: string, change: object, param: string][] = [
  ['the amount is zero', { amount: 0 }, 'amount'],
  ['the amount is above the largest', { amount: 1_000_000_000_000 }, 'amount'],
  ['the amount is no integer', { amount: 1.5 }, 'amount'],
  ['the reference is too short', { reference: 'p-1' }, 'reference'],
  ['the account number is no account number', { recipient: recipient('12 34 56') }, 'recipient'],
  ['the bank code is missing', { recipient: { name: 'G', accountNumber: '0123456789' } }, 'recipient'],
];

for (const [situation, change, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await fundedMerchant(server());

    const attempt = client.transfers.create({ reference, amount: 1, recipient: recipient(), ...change });

    t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, param);
    t.is((await client.transfers.list()).total, 0);
  });
}

test('409 when the reference is in use, and no funds are reserved', async (t) => {
  const merchant = await fundedMerchant(server());
  const { client } = merchant;
  await client.transfers.create({ reference, amount: 100, recipient: recipient() });
  await waitForTransfer('completed', merchant, reference);

  const attempt = client.transfers.create({ reference, amount: 100, recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: ConflictError }), {
    code: 'duplicate_reference',
    param: 'reference',
  });
  t.like((await client.wallets.list()).wallets[1], { available: 900, reserved: 0 });
});

test('422 when the Transfer wallet holds too little for amount and fee, and nothing is written', async (t) => {
  const merchant = await fundedMerchant(server(), 100);
  await chargeFee(server(), merchant, 1);

  const attempt = merchant.client.transfers.create({ reference, amount: 100, recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: TransferError }), { code: 'insufficient_funds' });
  t.is((await merchant.client.transfers.list()).total, 0);
  t.is((await merchant.client.wallets.listEntries('transfer')).total, 1);
  const opened = 'select kind from ledger_account where merchant_id = $1 order by kind';
  t.deepEqual(await server().database.query(opened, [merchant.id]), [{ kind: 'funding' }, { kind: 'transfer' }]);
});

test('422 when the bank is unknown in test mode, and nothing is written', async (t) => {
  const { client } = await fundedMerchant(server());

  const attempt = client.transfers.create({ reference, amount: 1, recipient: recipient('0123456789', '000') });

  t.like(await t.throwsAsync(attempt, { instanceOf: TransferError }), {
    code: 'invalid_recipient',
    param: 'recipient',
  });
  t.is((await client.transfers.list()).total, 0);
});

test('503 with a live key, because no processor for live transfers is configured', async (t) => {
  const { liveClient } = await server().createMerchant();

  const attempt = liveClient.transfers.create({ reference, amount: 1, recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: ProcessorError }), { code: 'processor_not_configured' });
  t.is((await liveClient.transfers.list()).total, 0);
});
