import { ConflictError, NotFoundError, ProcessorError, TransferError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const reference = 'payout-77';

test('createTransfer 201 returns a pending transfer whose amount is reserved', async (t) => {
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

test("createTransfer 201 also reserves the merchant's fee, and a later change of the fee does not apply to the transfer", async (t) => {
  const merchant = await fundedMerchant(server());
  await chargeFee(server(), merchant, 25);

  const { fee } = await merchant.client.transfers.create({ reference, amount: 975, recipient: recipient() });
  await chargeFee(server(), merchant, 99);

  t.is(fee, 25);
  t.is((await merchant.client.transfers.get(reference)).fee, 25);
  t.is((await merchant.client.wallets.list()).wallets[1]?.available, 0);
});

test('createTransfer 201 in another currency, without a fee', async (t) => {
  const merchant = await fundedMerchant(server());
  await chargeFee(server(), merchant, 25);
  await merchant.client.testHelpers.fundWallet({ amount: 500, currency: 'USD' });

  const details = { reference, amount: 500, currency: 'USD', recipient: recipient() };
  const transfer = await merchant.client.transfers.create(details);

  t.like(transfer, { currency: 'USD', fee: 0 });
});

test('createTransfer 201 encrypts the account number, and no column contains it in clear text', async (t) => {
  const { client } = await fundedMerchant(server());

  const { id } = await client.transfers.create({ reference, amount: 1, recipient: recipient('9876543210') });

  const [row] = await server().database.query('select * from transfer where id = $1', [id]);
  t.notRegex(JSON.stringify(row), /9876543210/);
  const sealed = String(row?.sealed_account_number);
  t.is(await server().arrange('unseal', { sealed, id }), '9876543210');
});

test('createTransfer 400 when the currency does not exist', async (t) => {
  const { client } = await fundedMerchant(server());

  const attempt = client.transfers.create({ reference, amount: 1, currency: 'ABC', recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), {
    code: 'unsupported_currency',
    param: 'currency',
  });
});

const refused: [situation: string, change: object, param: string][] = [
  ['the amount is zero', { amount: 0 }, 'amount'],
  ['the amount is above the maximum', { amount: 1_000_000_000_000 }, 'amount'],
  ['the amount is not an integer', { amount: 1.5 }, 'amount'],
  ['the reference is too short', { reference: 'p-1' }, 'reference'],
  ['the account number is invalid', { recipient: recipient('12 34 56') }, 'recipient'],
  ['the bank code is missing', { recipient: { name: 'G', accountNumber: '0123456789' } }, 'recipient'],
];

for (const [situation, change, param] of refused) {
  test(`createTransfer 400 when ${situation}`, async (t) => {
    const { client } = await fundedMerchant(server());

    const attempt = client.transfers.create({ reference, amount: 1, recipient: recipient(), ...change });

    t.is((await t.throwsAsync(attempt, { instanceOf: ValidationError }))?.param, param);
    t.is((await client.transfers.list()).total, 0);
  });
}

test('createTransfer 409 when the reference is in use, and no funds are reserved', async (t) => {
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

test('createTransfer 422 when the Transfer wallet holds too little for amount and fee, and nothing is stored', async (t) => {
  const merchant = await fundedMerchant(server(), 100);
  await chargeFee(server(), merchant, 1);

  const attempt = merchant.client.transfers.create({ reference, amount: 100, recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: TransferError }), { code: 'insufficient_funds' });
  t.is((await merchant.client.transfers.list()).total, 0);
  t.is((await merchant.client.wallets.listEntries('transfer')).total, 1);
  const opened = 'select kind from ledger_account where merchant_id = $1 order by kind';
  t.deepEqual(await server().database.query(opened, [merchant.id]), [{ kind: 'funding' }, { kind: 'transfer' }]);
});

test('createTransfer 422 when the bank is unknown in test mode, and nothing is stored', async (t) => {
  const { client } = await fundedMerchant(server());

  const attempt = client.transfers.create({ reference, amount: 1, recipient: recipient('0123456789', '000') });

  t.like(await t.throwsAsync(attempt, { instanceOf: TransferError }), {
    code: 'invalid_recipient',
    param: 'recipient',
  });
  t.is((await client.transfers.list()).total, 0);
});

test('createTransfer 503 with a live key, because no processor for live transfers is configured', async (t) => {
  const { liveClient } = await server().createMerchant();

  const attempt = liveClient.transfers.create({ reference, amount: 1, recipient: recipient() });

  t.like(await t.throwsAsync(attempt, { instanceOf: ProcessorError }), { code: 'processor_not_configured' });
  t.is((await liveClient.transfers.list()).total, 0);
});

test('getTransfer 200 returns a transfer that was completed', async (t) => {
  const merchant = await fundedMerchant(server());
  const created = await merchant.client.transfers.create({ reference, amount: 1, recipient: recipient() });

  const transfer = await waitForTransfer('completed', merchant, reference);

  const { updatedAt } = transfer;
  t.deepEqual(transfer, { ...created, status: 'completed', updatedAt, completedAt: updatedAt });
});

test('getTransfer 200 says why a transfer failed', async (t) => {
  const merchant = await fundedMerchant(server());
  await merchant.client.transfers.create({ reference, amount: 1, recipient: recipient('0000000001') });

  t.like(await waitForTransfer('failed', merchant, reference), {
    failureCode: 'account_not_found',
    failureReason: 'The account does not exist',
    completedAt: null,
  });
});

test('getTransfer 400 when the reference is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.transfers.get('p'), { instanceOf: ValidationError }), { param: 'reference' });
});

test('getTransfer 404 when the transfer does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);
  await owner.client.transfers.create({ reference, amount: 1, recipient: recipient() });

  for (const client of [other.client, owner.liveClient]) {
    await t.throwsAsync(client.transfers.get(reference), { instanceOf: NotFoundError });
  }
  await t.throwsAsync(owner.client.transfers.get('payout-78'), { instanceOf: NotFoundError });
});

/** The first transfer fails, and all further transfers are completed. */
async function transfersOf({ client }: TestMerchant, ...references: string[]): Promise<void> {
  for (const [index, reference] of references.entries()) {
    const accountNumber = index === 0 ? '0000000001' : '0123456789';
    await client.transfers.create({ reference, amount: 100 + index, recipient: recipient(accountNumber) });
  }
}

test('listTransfers 200 lists transfers, newest first', async (t) => {
  const merchant = await fundedMerchant(server());
  await transfersOf(merchant, 'payout-1', 'payout-2');

  const { transfers, total } = await merchant.client.transfers.list();

  t.is(total, 2);
  t.deepEqual(
    transfers.map(({ reference }) => reference),
    ['payout-2', 'payout-1'],
  );
  t.like(transfers[0], {
    amount: 101,
    fee: 0,
    recipient: { name: 'Grace Hopper', accountNumberLast4: '6789', bankCode: '058' },
  });
});

test('listTransfers 200 skips `offset` records, returns at most `limit`, and filters by status, reference and time', async (t) => {
  const merchant = await fundedMerchant(server());
  const { client } = merchant;
  await transfersOf(merchant, 'payout-1', 'payout-2');
  await waitForTransfer('failed', merchant, 'payout-1');
  const { createdAt } = await waitForTransfer('completed', merchant, 'payout-2');

  t.like(await client.transfers.list({ limit: 1, offset: 1 }), { total: 2, transfers: [{ reference: 'payout-1' }] });
  t.like(await client.transfers.list({ status: 'failed' }), { total: 1, transfers: [{ reference: 'payout-1' }] });
  t.is((await client.transfers.list({ status: ['failed', 'completed'] })).total, 2);
  t.is((await client.transfers.list({ status: ['failed', 'reversed'] })).total, 1);
  t.like(await client.transfers.list({ reference: 'payout-2' }), { total: 1, transfers: [{ status: 'completed' }] });
  t.like(await client.transfers.list({ from: createdAt }), { total: 1, transfers: [{ reference: 'payout-2' }] });
  t.is((await client.transfers.list({ to: '2020-01-01T00:00:00Z' })).total, 0);
});

test('listTransfers 200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);
  await transfersOf(owner, 'payout-1');

  t.is((await other.client.transfers.list()).total, 0);
  t.is((await owner.liveClient.transfers.list()).total, 0);
});

test('listTransfers 400 when a status is unknown', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.transfers.list({ status: 'sent' as never })), {
    code: 'invalid_parameter',
    param: 'status',
  });
});
