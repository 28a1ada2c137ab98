/** The baseline of the refund benchmark: only the SQL of a refund, as prepared statements with fake values. */
import { newId, newReference } from '@tillhook/server/src/kit/ids.ts';
import type { Move } from '@tillhook/server/src/money/wallets/post.ts';
import type { PoolClient } from 'pg';
import { createTransactions, type Owner, postBare } from './bare-posting.ts';
import { amount, answerWalletWork, referenceOf } from './wallet-work.ts';

const [, , databaseUrl] = process.argv;
const inTransaction = createTransactions(databaseUrl);

const lockPayment = `
  select id, amount, amount_refunded as refunded, currency, status from payment
  where merchant_id = $1 and mode = $2 and reference = $3 for update`;

const insert = `
  insert into refund
    (id, merchant_id, mode, payment_id, payment_reference, reference, amount, currency, status, reason, metadata, origin,
     processor_id, is_posted, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 'The customer returned the order', '{}', 'api', null, true, $9, $9)`;

const updatePayment = `
  update payment set amount_refunded = amount_refunded + $2::bigint, updated_at = $3
  where id = $1 and status = 'completed' and amount_refunded + $2::bigint <= amount`;

answerWalletWork((merchantId, number) =>
  inTransaction((client) => createRefund(client, [merchantId, 'test', 'NGN'], referenceOf(number))),
);

async function createRefund(client: PoolClient, owner: Owner, paymentReference: string) {
  const [merchantId, mode, currency] = owner;
  const id = newId();
  const reference = newReference();
  const now = new Date();
  const sought = [merchantId, mode, paymentReference];
  const [payment] = (await client.query({ name: 'payment', text: lockPayment, values: sought })).rows;
  await client.query({ name: 'update', text: updatePayment, values: [payment.id, amount, now] });
  const refund = [id, merchantId, mode, payment.id, paymentReference, reference, amount, currency, now];
  await client.query({ name: 'insert', text: insert, values: refund });
  const moves: Move[] = [{ from: 'collection', to: 'refund_reserved', type: 'refund', amount: BigInt(amount) }];
  await postBare(client, { owner, kind: 'refund_reserve', sourceId: id, reference, moves });
}
