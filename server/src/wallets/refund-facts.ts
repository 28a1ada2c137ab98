/** The invariants between the ledger, the payments and the refunds: parts of 4, 5 and 6. */
import { sql } from 'kysely';
import type { Fact } from './book-facts.ts';

const refundKinds = sql`('refund_reserve', 'refund_settle', 'refund_return', 'refund_reversal')`;

export const refundFacts: readonly Fact[] = [
  {
    invariant: 4,
    says: 'The balance reserved for refunds is the sum of the amounts of open refunds',
    breaches: sql`
      select case when reserved.id is null then 'merchant' else 'ledger_account' end,
        coalesce(reserved.id, merchant_id), coalesce(total, 0), coalesce(balance, 0)
      from (select id, merchant_id, mode, currency, balance from account where kind = 'refund_reserved') as reserved
      full join (
        select merchant_id, mode, currency, sum(amount) as total
        from refunded where is_posted and status in ('pending', 'processing') group by merchant_id, mode, currency
      ) as under_way using (merchant_id, mode, currency)
      where coalesce(balance, 0) <> coalesce(total, 0)`,
  },
  {
    invariant: 5,
    says: 'A refund has each transaction that its status requires, once',
    breaches: sql`
      select 'refund', id, expected, found
      from (
        select refunded.id,
          case
            when not is_posted then 'none'
            when status = 'completed' then 'refund_reserve, refund_settle'
            when status = 'failed' and completed_at is null then 'refund_reserve, refund_return'
            when status = 'failed' then 'refund_reserve, refund_reversal, refund_settle'
            else 'refund_reserve'
          end as expected,
          coalesce(string_agg(posting.kind, ', ' order by posting.kind collate "C"), 'none') as found
        from refunded left join posting on posting.source_id = refunded.id and posting.kind in ${refundKinds}
        group by refunded.id, status, is_posted, completed_at
      ) as settled
      where expected <> found`,
  },
  {
    invariant: 5,
    says: 'The transactions of a refund move its amount',
    breaches: sql`
      select 'ledger_transaction', id, expected, found
      from (
        select posting.id, posting.kind, refunded.amount,
          coalesce(sum(entry.amount) filter (where account.kind = 'collection'), 0) as collection,
          coalesce(sum(entry.amount) filter (where account.kind = 'refund_reserved'), 0) as reserved,
          coalesce(sum(entry.amount) filter (where account.kind = 'processor_clearing'), 0) as clearing
        from posting
        join refunded on refunded.id = posting.source_id
        left join entry on entry.transaction_id = posting.id
        left join account on account.id = entry.account_id
        where posting.kind in ${refundKinds}
        group by posting.id, posting.kind, refunded.amount
      ) as moved
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
  {
    invariant: 5,
    says: 'There is a refund for each transaction that names one',
    breaches: sql`
      select 'ledger_transaction', posting.id, 'refund ' || posting.source_id, 'none'
      from posting left join refunded on refunded.id = posting.source_id
      where posting.kind in ${refundKinds} and refunded.id is null`,
  },
  {
    invariant: 6,
    says: 'A payment has refunds of at most its amount that are completed or open, and shows their sum',
    breaches: sql`
      select 'payment', paid.id, 'refunds of ' || amount_refunded || ', at most ' || amount,
        'refunds of ' || coalesce(total, 0)
      from paid
      left join (
        select payment_id, sum(amount) as total
        from refunded where is_posted and status <> 'failed' group by payment_id
      ) as given on given.payment_id = paid.id
      where coalesce(total, 0) <> amount_refunded or amount_refunded > amount`,
  },
  {
    invariant: 6,
    says: 'A refund has the merchant, mode and currency of its payment, and the payment is completed',
    breaches: sql`
      select 'refund', refunded.id, concat_ws(' ', paid.merchant_id, paid.mode, paid.currency, 'completed'),
        concat_ws(' ', refunded.merchant_id, refunded.mode, refunded.currency, paid.status)
      from refunded join payment as paid on paid.id = refunded.payment_id
      where (paid.merchant_id, paid.mode, paid.currency, paid.status)
        <> (refunded.merchant_id, refunded.mode, refunded.currency, 'completed')`,
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
];
