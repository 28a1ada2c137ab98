/** Runs the SQL of `money/wallets/post.ts`, so that the baseline and the service cause the same work in Postgres. */
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { entriesOf, type Move } from '@tillhook/server/src/money/wallets/post.ts';
import { Pool, type PoolClient } from 'pg';
import { poolSize } from '../pool-size.ts';

export type Owner = [merchantId: string, mode: string, currency: string];

interface BarePosting {
  owner: Owner;
  kind: string;
  sourceId: string;
  reference: string;
  moves: Move[];
}

const write = `
  with change as materialized (
    select kind, amount, entries from json_to_recordset($1::json) as change (kind text, amount bigint, entries int)
  ), locked as materialized (
    select id, kind, balance from ledger_account
    where merchant_id = $2 and mode = $3 and currency = $4 and kind in (select kind from change)
    order by id for update of ledger_account
  ), funded as materialized (
    select id, amount, entries from locked join change on change.kind = locked.kind
    where balance + amount >= 0 or locked.kind in ('processor_clearing', 'payout_clearing', 'fees', 'funding')
  ), changed as (
    update ledger_account as account
    set balance = account.balance + funded.amount, entry_count = account.entry_count + funded.entries
    from funded where account.id = funded.id and (select count(id) from funded) = $10::int
    returning account.id, account.kind, account.balance, account.entry_count
  ), transaction as (
    insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, reference, created_at)
    select $5::uuid, $2, $3, $4, $6, $7::uuid, $8, $9::timestamptz where (select count(id) from funded) = $10::int
  )
  insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
  select leg.id, $5::uuid, changed.id, changed.entry_count - leg.later_entries, leg.type, leg.amount,
    changed.balance - leg.later_amount
  from json_to_recordset($11::json)
    as leg (id uuid, kind text, type text, amount bigint, later_entries int, later_amount bigint)
  join changed on changed.kind = leg.kind
  returning id`;

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

export async function postBare(client: PoolClient, { owner, kind, sourceId, reference, moves }: BarePosting) {
  const { changes, legs } = entriesOf(moves);
  const texts = { changes: JSON.stringify(changes), legs: JSON.stringify(legs) };
  const transaction = [newId(), kind, sourceId, reference, new Date()];
  const values = [texts.changes, ...owner, ...transaction, changes.length, texts.legs];
  const { rowCount } = await client.query({ name: 'write', text: write, values });
  if (rowCount !== legs.length) throw new Error('The posting returned no row.');
}
