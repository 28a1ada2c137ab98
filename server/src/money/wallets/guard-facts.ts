/** What the database itself must refuse: parts of the invariants 1, 3, 6, 8 and 10. They are checked once, for all books. */
import { type RawBuilder, sql } from 'kysely';
import type { Fact } from './check-part.ts';

export const guardFacts: readonly Fact[] = [
  {
    invariant: 1,
    says: 'The database refuses entries that do not add up to zero',
    breaches: withoutTriggers(['ledger_entry_balanced']),
  },
  {
    invariant: 3,
    says: 'The database refuses a balance below zero',
    breaches: sql`
      select 'pg_constraint', name, 'a valid check', 'none'
      from (values ('ledger_account_balance')) as needed (name)
      where not exists (select from pg_constraint where conname = needed.name and contype = 'c' and convalidated
        and conrelid = to_regclass('ledger_account'))`,
  },
  {
    invariant: 6,
    says: 'The database refuses refunds beyond the amount of a payment',
    breaches: sql`
      select 'pg_constraint', name, 'a check', 'none'
      from (values ('payment_amount_refunded')) as needed (name)
      where not exists (select from pg_constraint where conname = needed.name and contype = 'c'
        and conrelid = to_regclass('payment'))`,
  },
  {
    invariant: 8,
    says: 'The database refuses duplicates',
    breaches: withoutUniqueIndexes([
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
    ]),
  },
  {
    invariant: 10,
    says: 'The database refuses to change an entry',
    breaches: withoutTriggers(['ledger_entry_append_only', 'ledger_transaction_append_only']),
  },
];

function withoutTriggers(names: readonly string[]): RawBuilder<unknown> {
  return sql`
    select 'pg_trigger', name, 'enabled', coalesce(max('set to ' || tgenabled::text), 'missing')
    from unnest(${names}::text[]) as needed (name)
    left join pg_trigger on tgname = name
      and tgrelid in (to_regclass('ledger_entry'), to_regclass('ledger_transaction'))
    group by name having count(tgname) filter (where tgenabled in ('O', 'A')) = 0`;
}

function withoutUniqueIndexes(names: readonly string[]): RawBuilder<unknown> {
  return sql`
    select 'pg_index', name, 'valid and unique', 'missing'
    from unnest(${names}::text[]) as needed (name)
    where not exists (select from pg_index where indexrelid = to_regclass(name) and indisunique and indisvalid)`;
}
