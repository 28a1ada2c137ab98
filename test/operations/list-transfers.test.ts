import test from 'ava';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();

/** Transfers cannot be created yet, so the test writes the rows that creation will. */
async function insertTransfer(
  merchantId: string,
  fields: { id: string; reference: string; status?: string },
): Promise<void> {
  await server().database.query(
    `insert into transfer (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name,
       account_number_last4, bank_code, created_at, updated_at)
     values ($1, $2, 'test', $3, 250000, 0, 'NGN', $4, 'Grace Hopper', '6789', '058', '2026-01-02', '2026-01-02')`,
    [fields.id, merchantId, fields.reference, fields.status ?? 'pending'],
  );
}

test('200 lists transfers, newest first', async (t) => {
  const { client, id } = await server().createMerchant();
  await insertTransfer(id, { id: '019aa3c6-0000-7000-8000-000000000001', reference: 'payout-1' });
  await insertTransfer(id, { id: '019aa3c6-0000-7000-8000-000000000002', reference: 'payout-2' });

  const { transfers, total } = await client.transfers.list();

  t.is(total, 2);
  t.deepEqual(
    transfers.map(({ reference }) => reference),
    ['payout-2', 'payout-1'],
  );
  t.like(transfers[0], {
    amount: 250_000,
    fee: 0,
    recipient: { name: 'Grace Hopper', accountNumberLast4: '6789', bankCode: '058' },
    completedAt: null,
  });
});

test('200 pages and filters', async (t) => {
  const { client, id } = await server().createMerchant();
  await insertTransfer(id, { id: '019aa3c6-0000-7000-8000-000000000011', reference: 'payout-1', status: 'failed' });
  await insertTransfer(id, { id: '019aa3c6-0000-7000-8000-000000000012', reference: 'payout-2' });

  t.like(await client.transfers.list({ limit: 1, offset: 1 }), { total: 2, transfers: [{ reference: 'payout-1' }] });
  t.like(await client.transfers.list({ status: 'failed' }), { total: 1, transfers: [{ reference: 'payout-1' }] });
  t.like(await client.transfers.list({ reference: 'payout-2' }), { total: 1, transfers: [{ status: 'pending' }] });
  t.is((await client.transfers.list({ from: '2026-01-03T00:00:00Z' })).total, 0);
});

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await insertTransfer(owner.id, { id: '019aa3c6-0000-7000-8000-000000000021', reference: 'payout-1' });

  t.is((await other.client.transfers.list()).total, 0);
  t.is((await owner.liveClient.transfers.list()).total, 0);
});

test('400 when a status is unknown', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.transfers.list({ status: 'sent' as never })), {
    code: 'invalid_parameter',
    param: 'status',
  });
});
