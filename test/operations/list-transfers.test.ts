import test from 'ava';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

/** Creates a transfer for each reference. The first one fails, the others complete. */
async function transfersOf({ client }: TestMerchant, ...references: string[]): Promise<void> {
  for (const [index, reference] of references.entries()) {
    const accountNumber = index === 0 ? '0000000001' : '0123456789';
    await client.transfers.create({ reference, amount: 100 + index, recipient: recipient(accountNumber) });
  }
}

test('200 lists transfers, newest first', async (t) => {
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

test('200 skips offset records, returns at most limit, and filters', async (t) => {
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

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);
  await transfersOf(owner, 'payout-1');

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
