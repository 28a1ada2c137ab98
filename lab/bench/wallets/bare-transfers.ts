/** The baseline of the transfer benchmark: only the SQL of a transfer, as prepared statements with fake values. */
import { randomUUID } from 'node:crypto';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Move } from '@tillhook/server/src/money/wallets/post.ts';
import type { PoolClient } from 'pg';
import { createTransactions, type Owner, postBare } from './bare-posting.ts';
import { amount, answerWalletWork, fee } from './wallet-work.ts';

const [, , databaseUrl] = process.argv;
const inTransaction = createTransactions(databaseUrl);

const findFee = 'select transfer_fee from merchant where id = $1';

const insert = `
  insert into transfer
    (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name, sealed_account_number,
     account_number_last4, bank_code, narration, metadata, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'pending', 'Grace Hopper', $8, '6789', '058', null, '{}', $9, $9)`;

/** A text that is as long as an encrypted account number. */
const sealed = `v1.bench.${'A'.repeat(52)}`;

answerWalletWork((merchantId) => inTransaction((client) => createTransfer(client, [merchantId, 'test', 'NGN'])));

async function createTransfer(client: PoolClient, owner: Owner) {
  const [merchantId, mode, currency] = owner;
  const id = newId();
  const reference = `payout-${randomUUID()}`;
  await client.query({ name: 'fee', text: findFee, values: [merchantId] });
  const transfer = [id, merchantId, mode, reference, amount, fee, currency, sealed, new Date()];
  await client.query({ name: 'insert', text: insert, values: transfer });
  const moves: Move[] = [
    { from: 'transfer', to: 'transfer_reserved', type: 'transfer', amount: BigInt(amount) },
    { from: 'transfer', to: 'transfer_reserved', type: 'fee', amount: BigInt(fee) },
  ];
  await postBare(client, { owner, kind: 'transfer_reserve', sourceId: id, reference, moves });
}
