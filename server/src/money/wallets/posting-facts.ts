/**
 * The invariants of postings: parts of 1, 5, 6, 7 and 8. They read the subqueries `posting` and `entry`. What else a
 * posting names is looked up row by row, by an index: a join would read whole tables for a few thousand postings.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Fact } from './check-part.ts';

export const transferKinds = sql`('transfer_reserve', 'transfer_settle', 'transfer_return', 'transfer_reversal')`;
export const refundKinds = sql`('refund_reserve', 'refund_settle', 'refund_return', 'refund_reversal')`;

export const postingColumns = sql.raw('id, merchant_id, mode, currency, kind, source_id, reference');

/** The entries of each posting with their accounts. A posting without entries has one row, whose `id` is null. */
export const entriesOfPostings: RawBuilder<unknown> = sql`
  entry as materialized (
    select posting.id as posting_id, posting.kind, posting.source_id, posting.merchant_id, posting.mode, posting.currency,
      entry.*
    from posting left join lateral (
      select ledger_entry.id, amount, account.kind as account_kind, account.merchant_id as account_merchant,
        account.mode as account_mode, account.currency as account_currency
      from ledger_entry cross join lateral (
        select kind, merchant_id, mode, currency from ledger_account where ledger_account.id = account_id offset 0
      ) as account
      where transaction_id = posting.id offset 0
    ) as entry on true)`;

const sumOf = (kind: string) => sql`coalesce(sum(entry.amount) filter (where account_kind = ${kind}), 0)`;

export const postingFacts: readonly Fact[] = [
  {
    invariant: 1,
    says: 'The entries of a transaction add up to zero',
    breaches: sql`
      select 'ledger_transaction', posting_id, '0', coalesce(sum(amount)::text, 'no entry')
      from entry group by posting_id having count(id) = 0 or sum(amount) <> 0`,
  },
  {
    invariant: 1,
    says: 'The entries of a currency add up to zero',
    breaches: sql`
      select 'ledger_entry', account_currency, '0', sum(amount)
      from entry where id is not null group by account_currency having sum(amount) <> 0`,
  },
  {
    invariant: 5,
    says: 'The transactions of a transfer move its amount and its fee',
    breaches: sql`
      select 'ledger_transaction', id, expected, found
      from (
        select posting_id as id, kind, source_id, ${sumOf('transfer')} as transfer, ${sumOf('transfer_reserved')} as reserved,
          ${sumOf('payout_clearing')} as clearing, ${sumOf('fees')} as fees
        from entry where kind in ${transferKinds} group by posting_id, kind, source_id
      ) as moved
      cross join lateral (
        select amount, fee, amount + fee as cost from transfer where transfer.id = source_id offset 0) as sent
      cross join lateral (
        select format('transfer %s, reserved %s, clearing %s, fees %s', transfer, reserved, clearing, fees) as found,
          case kind
            when 'transfer_reserve' then format('transfer %s, reserved %s, clearing 0, fees 0', -cost, cost)
            when 'transfer_settle' then format('transfer 0, reserved %s, clearing %s, fees %s', -cost, amount, fee)
            when 'transfer_return' then format('transfer %s, reserved %s, clearing 0, fees 0', cost, -cost)
            when 'transfer_reversal' then format('transfer %s, reserved 0, clearing %s, fees 0', amount, -amount)
          end as expected
      ) as compared
      where expected <> found`,
  },
  namedOnesExist('transfer', transferKinds),
  {
    invariant: 5,
    says: 'The transactions of a refund move its amount',
    breaches: sql`
      select 'ledger_transaction', id, expected, found
      from (
        select posting_id as id, kind, source_id, ${sumOf('collection')} as collection,
          ${sumOf('refund_reserved')} as reserved, ${sumOf('processor_clearing')} as clearing
        from entry where kind in ${refundKinds} group by posting_id, kind, source_id
      ) as moved
      cross join lateral (select amount from refund where refund.id = source_id offset 0) as refunded
      cross join lateral (
        select format('collection %s, reserved %s, clearing %s', collection, reserved, clearing) as found,
          case kind
            when 'refund_reserve' then format('collection %s, reserved %s, clearing 0', -amount, amount)
            when 'refund_settle' then format('collection 0, reserved %s, clearing %s', -amount, amount)
            when 'refund_return' then format('collection %s, reserved %s, clearing 0', amount, -amount)
            when 'refund_reversal' then format('collection %s, reserved 0, clearing %s', amount, -amount)
          end as expected
      ) as compared
      where expected <> found`,
  },
  namedOnesExist('refund', refundKinds),
  {
    invariant: 6,
    says: 'The Collection wallet is credited with each completed payment',
    breaches: sql`
      select 'payment', source_id, 'nothing', ${sumOf('collection')}
      from entry
      where kind = 'payment'
        and (select id from payment where payment.id = source_id and status = 'completed' limit 1) is null
      group by posting_id, source_id`,
  },
  {
    invariant: 6,
    says: 'The Collection wallet is credited with nothing else but failed refunds',
    breaches: sql`
      select 'ledger_entry', id, 'payment or failed refund', kind
      from entry
      where amount > 0 and account_kind = 'collection' and kind not in ('payment', 'refund_return', 'refund_reversal')`,
  },
  // The part by accounts finds the entries whose account has the same merchant and another mode or currency.
  {
    invariant: 7,
    says: 'The transaction and the account of an entry have the same merchant, mode and currency',
    breaches: sql`
      select 'ledger_entry', id, concat_ws(' ', merchant_id, mode, currency),
        concat_ws(' ', account_merchant, account_mode, account_currency)
      from entry
      where account_merchant <> merchant_id`,
  },
  {
    invariant: 7,
    says: 'A transaction has the merchant, mode and currency of its payment, refund or transfer',
    breaches: sql`
      select 'ledger_transaction', posting.id, concat_ws(' ', source.merchant_id, source.mode, source.currency),
        concat_ws(' ', posting.merchant_id, posting.mode, posting.currency)
      from posting cross join lateral (
        select merchant_id, mode, currency from payment where payment.id = source_id
        union all select merchant_id, mode, currency from transfer where transfer.id = source_id
        union all select merchant_id, mode, currency from refund where refund.id = source_id
      ) as source
      where (source.merchant_id, source.mode, source.currency) <> (posting.merchant_id, posting.mode, posting.currency)`,
  },
  {
    invariant: 8,
    says: 'Nothing is posted twice',
    breaches: sql`
      select 'ledger_transaction', id, kind || ' of ' || source_id || ' once', times || ' times'
      from posting cross join lateral (
        select max(other.id::text) as last, count(*) as times from ledger_transaction as other
        where other.kind = posting.kind and other.source_id = posting.source_id
      ) as posted
      where times > 1 and id::text = last`,
  },
  {
    invariant: 8,
    says: 'A top-up is posted once for its reference',
    breaches: sql`
      select 'ledger_transaction', id, 'top_up ' || reference || ' once', times || ' times'
      from posting cross join lateral (
        select max(other.id::text) as last, count(*) as times from ledger_transaction as other
        where other.kind = 'top_up' and other.merchant_id = posting.merchant_id and other.mode = posting.mode
          and other.reference = posting.reference
      ) as posted
      where kind = 'top_up' and times > 1 and id::text = last`,
  },
];

/** The fact that each transfer, or each refund, that a posting names is there. */
function namedOnesExist(what: 'transfer' | 'refund', kinds: RawBuilder<unknown>): Fact {
  const named = sql.table(what);
  return {
    invariant: 5,
    says: `There is a ${what} for each transaction that names one`,
    breaches: sql`
      select 'ledger_transaction', posting.id, ${`${what} `}::text || source_id, 'none'
      from posting
      where kind in ${kinds} and (select id from ${named} where ${named}.id = source_id limit 1) is null`,
  };
}
