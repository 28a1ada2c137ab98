import { NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const reference = 'payout-77';

test('200 returns a transfer that was completed', async (t) => {
  const merchant = await fundedMerchant(server());
  const created = await merchant.client.transfers.create({ reference, amount: 1, recipient: recipient() });

  const transfer = await waitForTransfer('completed', merchant, reference);

  const { updatedAt } = transfer;
  t.deepEqual(transfer, { ...created, status: 'completed', updatedAt, completedAt: updatedAt });
});

test('200 says why a transfer failed', async (t) => {
  const merchant = await fundedMerchant(server());
  await merchant.client.transfers.create({ reference, amount: 1, recipient: recipient('0000000001') });

  t.like(await waitForTransfer('failed', merchant, reference), {
    failureCode: 'account_not_found',
    failureReason: 'The account does not exist',
    completedAt: null,
  });
});

test('400 when the reference is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.transfers.get('p'), { instanceOf: ValidationError }), { param: 'reference' });
});

test('404 when the transfer does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([fundedMerchant(server()), server().createMerchant()]);
  await owner.client.transfers.create({ reference, amount: 1, recipient: recipient() });

  for (const client of [other.client, owner.liveClient]) {
    await t.throwsAsync(client.transfers.get(reference), { instanceOf: NotFoundError });
  }
  await t.throwsAsync(owner.client.transfers.get('payout-78'), { instanceOf: NotFoundError });
});
