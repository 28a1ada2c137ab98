/** The invariants of the ledger's tables alone: 1, 2, 3, 7, 8 and 10. Each query finds the rows that break one. */
import { type RawBuilder, sql } from 'kysely';

/**
 * One sentence of an invariant, and a query for the rows that break it. Its columns are table, id, expected and found.
 */
export interface Fact {
  invariant: number;
  says: string;
  breaches: RawBuilder<unknown>;
}

const merchantKinds = sql`('collection', 'transfer', 'transfer_reserved', 'refund_reserved')`;

export const bookFacts: readonly Fact[] = [
  {
    invariant: 1,
    says: 'The entries of a transaction add up to zero',
    breaches: sql`
      select 'ledger_transaction', posting.id, '0', coalesce(sum(entry.amount)::text, 'no entry')
      from posting left join entry on entry.transaction_id = posting.id
      group by posting.id having count(entry.id) = 0 or sum(entry.amount) <> 0`,
  },
  {
    invariant: 1,
    says: 'The entries of a currency add up to zero',
    breaches: sql`
      select 'ledger_entry', account.currency, '0', sum(entry.amount)
      from entry join account on account.id = entry.account_id
      group by account.currency having sum(entry.amount) <> 0`,
  },
  {
    invariant: 1,
    says: 'The database refuses entries that do not add up to zero',
    breaches: withoutTriggers(['ledger_entry_balanced']),
  },
  {
    invariant: 2,
    says: "An account's balance is the sum of its entries",
    breaches: sql`
      select 'ledger_account', account.id,
        coalesce(sum(entry.amount), 0) || ' of ' || count(entry.id) || ' entries',
        account.balance || ' of ' || account.entry_count || ' entries'
      from account left join entry on entry.account_id = account.id
      group by account.id, account.balance, account.entry_count
      having account.balance <> coalesce(sum(entry.amount), 0) or account.entry_count <> count(entry.id)`,
  },
  {
    invariant: 3,
    says: "A merchant's account is not below zero",
    breaches: sql`
      select 'ledger_account', id, 'at least 0', balance from account where balance < 0 and kind in ${merchantKinds}`,
  },
  {
    invariant: 3,
    says: "A merchant's account was never below zero",
    breaches: sql`
      select 'ledger_entry', entry.id, 'at least 0', entry.balance
      from entry join account on account.id = entry.account_id
      where entry.balance < 0 and account.kind in ${merchantKinds}`,
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
    invariant: 7,
    says: 'The transaction and the account of an entry have the same merchant, mode and currency',
    breaches: sql`
      select 'ledger_entry', entry.id, concat_ws(' ', whose.merchant_id, whose.mode, whose.currency),
        concat_ws(' ', held.merchant_id, held.mode, held.currency)
      from entry
      join ledger_transaction as whose on whose.id = entry.transaction_id
      join ledger_account as held on held.id = entry.account_id
      where (whose.merchant_id, whose.mode, whose.currency) <> (held.merchant_id, held.mode, held.currency)`,
  },
  {
    invariant: 7,
    says: 'A transaction has the merchant, mode and currency of its payment, refund or transfer',
    breaches: sql`
      select 'ledger_transaction', posting.id, concat_ws(' ', source.merchant_id, source.mode, source.currency),
        concat_ws(' ', posting.merchant_id, posting.mode, posting.currency)
      from posting
      join (
        select id, merchant_id, mode, currency from payment union all select id, merchant_id, mode, currency from transfer
        union all select id, merchant_id, mode, currency from refund
      ) as source on source.id = posting.source_id
      where (source.merchant_id, source.mode, source.currency) <> (posting.merchant_id, posting.mode, posting.currency)`,
  },
  {
    invariant: 8,
    says: 'Nothing is posted twice',
    breaches: sql`
      select 'ledger_transaction', max(id::text), kind || ' of ' || source_id || ' once', count(id) || ' times'
      from posting group by kind, source_id having count(id) > 1`,
  },
  {
    invariant: 8,
    says: 'A top-up is posted once for its reference',
    breaches: sql`
      select 'ledger_transaction', max(id::text), 'top_up ' || reference || ' once', count(id) || ' times'
      from posting where kind = 'top_up' group by merchant_id, mode, reference having count(id) > 1`,
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
  {
    invariant: 10,
    says: 'Entries are numbered without a gap, and each has the balance after it',
    breaches: sql`
      select 'ledger_entry', id, 'number ' || place || ', balance ' || running, 'number ' || number || ', balance ' || balance
      from (
        select id, number, balance, row_number() over following as place, sum(amount) over following as running
        from entry window following as (partition by account_id order by number)
      ) as numbered
      where number <> place or balance <> running`,
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
