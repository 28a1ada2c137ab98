import { sql } from 'kysely';
import { type Invariant, withoutTriggers } from './check-batch.ts';

export const entriesAreNumbered: Invariant = {
  number: 10,
  database: {
    'The database refuses to change an entry': withoutTriggers([
      'ledger_entry_append_only',
      'ledger_transaction_append_only',
    ]),
  },
  entries: {
    'Entries are numbered without a gap, and each has the balance after it': sql`
      select 'ledger_entry', id, 'number ' || place || ', balance ' || running, 'number ' || number || ', balance ' || balance
      from entry where number <> place or balance <> running`,
  },
};
