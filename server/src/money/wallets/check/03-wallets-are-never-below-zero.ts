import { sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

const merchantKinds = sql`('collection', 'transfer', 'transfer_reserved', 'refund_reserved')`;

export const walletsAreNeverBelowZero: Invariant = {
  number: 3,
  database: {
    'The database refuses a balance below zero': sql`
      select 'pg_constraint', name, 'a valid check', 'none'
      from (values ('ledger_account_balance')) as needed (name)
      where not exists (select from pg_constraint where conname = needed.name and contype = 'c' and convalidated
        and conrelid = to_regclass('ledger_account'))`,
  },
  balances: {
    "A merchant's account is not below zero": sql`
      select 'ledger_account', id, 'at least 0', balance from account where balance < 0 and kind in ${merchantKinds}`,
  },
  entries: {
    "A merchant's account was never below zero": sql`
      select 'ledger_entry', id, 'at least 0', balance from entry where balance < 0 and kind in ${merchantKinds}`,
  },
};
