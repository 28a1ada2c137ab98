import { sql } from 'kysely';
import { type Invariant, withoutTriggers } from './check-batch.ts';

export const entriesAddUpToZero: Invariant = {
  number: 1,
  database: {
    'The database refuses entries that do not add up to zero': withoutTriggers(['ledger_entry_balanced']),
  },
  postings: {
    'The entries of a transaction add up to zero': sql`
      select 'ledger_transaction', posting_id, '0', coalesce(sum(amount)::text, 'no entry')
      from entry group by posting_id having count(id) = 0 or sum(amount) <> 0`,
    'The entries of a currency add up to zero': sql`
      select 'ledger_entry', account_currency, '0', sum(amount)
      from entry where id is not null group by account_currency having sum(amount) <> 0`,
  },
};
