import { sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

const uniqueIndexes = [
  'idempotency_key_pkey',
  'ledger_account_unique',
  'ledger_entry_number_unique',
  'ledger_top_up_reference_unique',
  'ledger_transaction_source_unique',
  'payment_attempt_number_unique',
  'payment_attempt_open',
  'payment_reference_unique',
  'processor_event_pkey',
  'refund_processor_unique',
  'refund_reference_unique',
  'transfer_reference_unique',
];

export const nothingIsPostedTwice: Invariant = {
  number: 8,
  database: {
    'The database refuses duplicates': sql`
      select 'pg_index', name, 'valid and unique', 'missing'
      from unnest(${uniqueIndexes}::text[]) as needed (name)
      where not exists (select from pg_index where indexrelid = to_regclass(name) and indisunique and indisvalid)`,
  },
  postings: {
    'Nothing is posted twice': sql`
      select 'ledger_transaction', id, kind || ' of ' || source_id || ' once', times || ' times'
      from posting cross join lateral (
        select max(other.id::text) as last, count(*) as times from ledger_transaction as other
        where other.kind = posting.kind and other.source_id = posting.source_id
      ) as posted
      where times > 1 and id::text = last`,
    'A top-up is posted once for its reference': sql`
      select 'ledger_transaction', id, 'top_up ' || reference || ' once', times || ' times'
      from posting cross join lateral (
        select max(other.id::text) as last, count(*) as times from ledger_transaction as other
        where other.kind = 'top_up' and other.merchant_id = posting.merchant_id and other.mode = posting.mode
          and other.reference = posting.reference
      ) as posted
      where kind = 'top_up' and times > 1 and id::text = last`,
  },
};
