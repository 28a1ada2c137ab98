/**
 * A posting by pg alone, with the text of `wallets/post.ts`, so that the database has the same work for both contenders.
 */
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { Pool, type PoolClient } from 'pg';
import { poolSize } from './pool-size.ts';

export type Owner = [merchantId: string, mode: string, currency: string];

interface BarePosting {
  owner: Owner;
  kind: string;
  sourceId: string;
  reference: string;
  moves: { from: string; to: string; type: string; amount: number }[];
}

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
    values ($5, $2, $3, $4, $6, $7, $8, $9)
  )
  insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
  select leg.id, $5, changed.id, changed.entry_count - count(leg.id) over later, leg.type, leg.amount,
    changed.balance - coalesce(sum(leg.amount) over later, 0)
  from leg join changed on changed.kind = leg.kind
  where (select count(id) from changed) = (select count(kind) from change)
  window later as (partition by leg.kind order by leg.place desc rows between unbounded preceding and 1 preceding)
  returning id`;

/** Runs the work in a transaction, on one of as many connections as the server has. */
export function createTransactions(databaseUrl: string | undefined) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  return async (work: (client: PoolClient) => Promise<void>): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
}

/** Locks the two accounts of the posting, and writes it. */
export async function postBare(client: PoolClient, { owner, kind, sourceId, reference, moves }: BarePosting) {
  const kinds = new Set(moves.flatMap(({ from, to }) => [from, to]));
  await client.query({ name: 'lock', text: lock, values: [...owner, ...kinds] });
  const legs = moves.flatMap(({ from, to, type, amount }, index) => [
    { id: newId(), place: 2 * index, kind: from, type, amount: -amount },
    { id: newId(), place: 2 * index + 1, kind: to, type, amount },
  ]);
  const values = [JSON.stringify(legs), ...owner, newId(), kind, sourceId, reference, new Date()];
  await client.query({ name: 'write', text: write, values });
}
