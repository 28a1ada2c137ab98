import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { serverForFile, type TestMerchant, wholePool } from '../support/server/tillhook.ts';
import { errorIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile({ ...wholePool, PAYOUT_PROCESSOR: 'manual' });
const base = '/api/v1/dashboard/operator';

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

async function scene() {
  const operator = await signIn(server(), undefined, 'operator');
  const merchant = await server().createMerchant('Grace & Co');
  const transfer = await server().arrange('createLiveTransfer', { merchantId: merchant.id });
  return { operator, merchant, transfer };
}

const act = ({ call }: SignedIn, path: string, json?: object) =>
  call(`${base}/${path}`, { method: 'POST', mode: 'live', ...(json && { json }) });

const balance = async ({ liveClient }: TestMerchant) =>
  (await liveClient.wallets.list()).wallets.find(({ kind }) => kind === 'transfer')?.available;

async function newestEntryOf(
  merchant: TestMerchant,
): Promise<OperationOutput<'listAuditEntries'>['auditEntries'][number]> {
  const { call } = await signIn(server(), merchant);
  const { auditEntries } = await (await call('/api/v1/dashboard/audit-entries')).json();
  return auditEntries.find(({ actor }: { actor: { type: string } }) => actor.type === 'operator');
}

test('all merchants are listed, newest first, including suspended merchants', async (t) => {
  const { operator, merchant } = await scene();
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);

  const { merchants } = await (await operator.call(`${base}/merchants?limit=100`)).json();

  // Other tests create merchants meanwhile.
  const ids: string[] = merchants.map(({ id }: { id: string }) => id);
  t.deepEqual(ids, ids.toSorted().reverse());
  t.like(merchants[ids.indexOf(merchant.id)], {
    id: merchant.id,
    name: 'Grace & Co',
    isSuspended: true,
    requiresTwoStep: false,
  });
});

test('an open transfer is listed with its merchant and without its account number', async (t) => {
  const { operator, merchant, transfer } = await scene();

  const { transfers } = await (await operator.call(`${base}/transfers?limit=100`, { mode: 'live' })).json();
  const one = await (await operator.call(`${base}/transfers/${transfer.id}`, { mode: 'live' })).json();

  const listed = transfers.find((each: { transfer: { id: string } }) => each.transfer.id === transfer.id);
  t.like(listed, { merchant: { id: merchant.id, name: 'Grace & Co' }, transfer: { amount: 500, mode: 'live' } });
  t.deepEqual(one.transfer.recipient, { name: 'Grace Hopper', accountNumberLast4: '3210', bankCode: '058' });
  t.false(JSON.stringify([one, transfers]).includes('9876543210'));
  t.is((await operator.call(`${base}/transfers/${transfer.id}`, { mode: 'test' })).status, 404);
});

test('the account number is shown after the operator enters the password, and the audit log of the merchant says that an operator read it', async (t) => {
  const { operator, merchant, transfer } = await scene();
  const path = `transfers/${transfer.id}/account-number`;

  t.deepEqual(await errorIn(await act(operator, path, { password: 'wrong' })), [401, 'invalid_credentials']);
  const shown = await (await act(operator, path, { password: operator.password })).json();

  t.deepEqual(shown, { id: transfer.id, accountNumber: '9876543210' });
  t.like(await newestEntryOf(merchant), {
    action: 'revealAccountNumber',
    subject: transfer.reference,
    mode: 'live',
    actor: { type: 'operator', email: null },
    address: null,
    browser: null,
  });
  const rows = 'select operator_email, user_email, address is not null as "isKept" from audit_entry where subject = $1';
  const kept = await server().database.query(rows, [transfer.reference]);
  t.deepEqual(kept, [{ operator_email: operator.email, user_email: null, isKept: true }]);
});

test('a settled transfer is completed, a second settlement gets 409, and after a reversal the amount is in the wallet again', async (t) => {
  const { operator, merchant, transfer } = await scene();
  t.is(await balance(merchant), 500);

  const settled = await act(operator, `transfers/${transfer.id}/settle`);
  t.is(settled.status, 200);
  t.like(await merchant.liveClient.transfers.get(transfer.reference), { status: 'completed' });
  t.deepEqual(await errorIn(await act(operator, `transfers/${transfer.id}/settle`)), [409, 'transfer_status_conflict']);
  t.is(await balance(merchant), 500);
  t.like(await newestEntryOf(merchant), { action: 'settleTransfer', subject: transfer.reference });

  const reversed = await act(operator, `transfers/${transfer.id}/reverse`, { reason: 'The bank sent it back' });
  t.like((await reversed.json()).transfer, { status: 'reversed', failureCode: 'returned_by_bank' });
  t.is(await balance(merchant), 1000);
});

test('a failed transfer returns its amount and has the reason that the operator gave', async (t) => {
  const { operator, merchant, transfer } = await scene();
  const json = { reason: 'The account is closed', failureCode: 'account_closed' };

  t.is((await act(operator, `transfers/${transfer.id}/fail`, json)).status, 200);

  const failure = { status: 'failed', failureCode: 'account_closed', failureReason: 'The account is closed' };
  t.like(await merchant.liveClient.transfers.get(transfer.reference), failure);
  t.is(await balance(merchant), 1000);
  t.deepEqual(await errorIn(await act(operator, `transfers/${transfer.id}/fail`, json)), [
    409,
    'transfer_status_conflict',
  ]);
  t.deepEqual(await errorIn(await act(operator, `transfers/${transfer.id}/reverse`, json)), [
    409,
    'transfer_status_conflict',
  ]);
  t.is(await balance(merchant), 1000);
});

test('of ten concurrent settlements of one transfer, exactly one succeeds', async (t) => {
  const { operator, transfer } = await scene();

  const settling = Array.from({ length: 10 }, () => act(operator, `transfers/${transfer.id}/settle`));
  const statuses = (await Promise.all(settling)).map(({ status }) => status);

  t.deepEqual(statuses.sort(), [200, ...Array(9).fill(409)]);
});

test('404 when the transfer does not exist, for each operation on transfers', async (t) => {
  const operator = await signIn(server(), undefined, 'operator');
  const path = 'transfers/019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60';
  const { password } = operator;
  const answers = [
    await operator.call(`${base}/${path}`, { mode: 'live' }),
    await act(operator, `${path}/account-number`, { password }),
    await act(operator, `${path}/settle`),
    await act(operator, `${path}/fail`, { reason: 'a' }),
    await act(operator, `${path}/reverse`, { reason: 'a' }),
    await act(operator, 'payments/019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60/resolve', { as: 'failed' }),
  ];

  for (const answer of answers) t.deepEqual(await errorIn(answer), [404, 'resource_not_found']);
});

test('a payment under review is listed, is decided once, and appears in the audit log of the merchant', async (t) => {
  const { operator, merchant } = await scene();
  const { id, reference } = await server().arrange('createPaymentUnderReview', {
    merchantId: merchant.id,
    mode: 'test',
  });
  const resolve = () => operator.call(`${base}/payments/${id}/resolve`, { method: 'POST', json: { as: 'completed' } });
  const listed = async () => (await (await operator.call(`${base}/payments?limit=100`)).json()).reviews;
  const found = (reviews: { payment: { id: string } }[]) => reviews.find(({ payment }) => payment.id === id);

  t.like(found(await listed()), { merchant: { id: merchant.id }, reason: 'amount_mismatch', paid: [] });
  const resolved = await resolve();

  t.is(resolved.status, 200);
  t.like((await resolved.json()).payment, { reference, status: 'completed' });
  t.is(found(await listed()), undefined);
  t.deepEqual(await errorIn(await resolve()), [409, 'payment_already_final']);
  t.like(await newestEntryOf(merchant), { action: 'completeReviewedPayment', subject: reference });
});
