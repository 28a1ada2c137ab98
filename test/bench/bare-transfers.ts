/**
 * Only the statements that create a transfer, sent by pg as prepared statements with invented values. The posting has
 * the text of `wallets/post.ts`, so that the database has the same work for both contenders. The argument is the
 * address of the database.
 */
import { randomUUID } from 'node:crypto';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { Pool, type PoolClient } from 'pg';
import { amount, answerTransferWork, fee, poolSize } from './transfer-work.ts';

const [, , databaseUrl] = process.argv;
const pool = new Pool({ connectionString: databaseUrl, max: poolSize });

const findFee = 'select transfer_fee from merchant where id = $1';

const lock = `
  select id from ledger_account
  where merchant_id = $1 and mode = $2 and currency = $3 and kind in ($4, $5) order by id for update`;

const write = `
  with leg as (
    select id, place, kind, type, amount from json_to_recordset($1::json) as leg (id uuid, place int, kind text, type text, amount bigint)
  ), change as (
    select kind, sum(amount)::bigint as amount, count(id) as entries from leg group by kind
  ), changed as (
    update ledger_account as account
    set balance = account.balance + change.amount, entry_count = account.entry_count + change.entries
    from change
    where account.merchant_id = $2 and account.mode = $3 and account.currency = $4 and account.kind = change.kind
      and (account.balance + change.amount >= 0
        or account.kind in ('processor_clearing', 'payout_clearing', 'fees', 'funding'))
    returning account.id, account.kind, account.balance, account.entry_count
  ), transaction as (
    insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
    values ($5, $2, $3, $4, 'transfer_reserve', $6, $7, $8)
  )
  insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
  select leg.id, $5, changed.id, changed.entry_count - count(leg.id) over later, leg.type, leg.amount,
    changed.balance - coalesce(sum(leg.amount) over later, 0)
  from leg join changed on changed.kind = leg.kind
  where (select count(id) from changed) = (select count(kind) from change)
  window later as (partition by leg.kind order by leg.place desc rows between unbounded preceding and 1 preceding)
  returning id`;

const insert = `
  insert into transfer
    (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name, sealed_account_number,
     account_number_last4, bank_code, narration, metadata, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'pending', 'Grace Hopper', $8, '6789', '058', null, '{}', $9, $9)`;

/** A text with the length of a sealed account number. */
const sealed = `v1.bench.${'A'.repeat(52)}`;

answerTransferWork(async (merchantId) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await createTransfer(client, [merchantId, 'test', 'NGN']);
    await client.query('commit');
  } finally {
    client.release();
  }
});

async function createTransfer(client: PoolClient, owner: [merchantId: string, mode: string, currency: string]) {
  const [merchantId, mode, currency] = owner;
  const id = newId();
  const reference = `payout-${randomUUID()}`;
  const now = new Date();
  await client.query({ name: 'fee', text: findFee, values: [merchantId] });
  const transfer = [id, merchantId, mode, reference, amount, fee, currency, sealed, now];
  await client.query({ name: 'insert', text: insert, values: transfer });
  await client.query({ name: 'lock', text: lock, values: [...owner, 'transfer', 'transfer_reserved'] });
  const values = [JSON.stringify(legs()), ...owner, newId(), id, reference, now];
  await client.query({ name: 'write', text: write, values });
}

function legs() {
  const between = (from: { place: number; type: string; amount: number }) => [
    { ...from, id: newId(), kind: 'transfer', amount: -from.amount },
    { ...from, id: newId(), kind: 'transfer_reserved', place: from.place + 1 },
  ];
  return [...between({ place: 0, type: 'transfer', amount }), ...between({ place: 2, type: 'fee', amount: fee })];
}
