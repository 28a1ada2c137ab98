import { sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

export const creditsAndRefundsMatchPayments: Invariant = {
  number: 6,
  database: {
    'The database refuses refunds beyond the amount of a payment': sql`
      select 'pg_constraint', name, 'a check', 'none'
      from (values ('payment_amount_refunded')) as needed (name)
      where not exists (select from pg_constraint where conname = needed.name and contype = 'c'
        and conrelid = to_regclass('payment'))`,
  },
  postings: {
    'The Collection wallet is credited with each completed payment': sql`
      select 'payment', source_id, 'nothing', coalesce(sum(entry.amount) filter (where account_kind = 'collection'), 0)
      from entry
      where kind = 'payment'
        and (select id from payment where payment.id = source_id and status = 'completed' limit 1) is null
      group by posting_id, source_id`,
    'The Collection wallet is credited with nothing else but failed refunds': sql`
      select 'ledger_entry', id, 'payment or failed refund', kind
      from entry
      where amount > 0 and account_kind = 'collection' and kind not in ('payment', 'refund_return', 'refund_reversal')`,
  },
  records: {
    'The Collection wallet is credited with each completed payment': sql`
      select 'payment', paid.id, paid.amount::text, coalesce(credited.amount::text, 'nothing')
      from paid cross join lateral (
        select case when count(posting.id) > 0 then coalesce(sum(entry.amount), 0) end as amount
        from ledger_transaction as posting
        left join lateral (
          select sum(ledger_entry.amount) as amount
          from ledger_entry cross join lateral (
            select kind from ledger_account where ledger_account.id = account_id offset 0) as account
          where transaction_id = posting.id and account.kind = 'collection'
        ) as entry on true
        where posting.kind = 'payment' and source_id = paid.id
      ) as credited
      where status = 'completed' and paid.amount is distinct from credited.amount`,
    'A payment has refunds of at most its amount that are completed or open, and shows their sum': sql`
      select 'payment', paid.id, 'refunds of ' || amount_refunded || ', at most ' || amount,
        'refunds of ' || coalesce(total, 0)
      from paid cross join lateral (
        select sum(refund.amount) as total from refund
        where payment_id = paid.id and is_posted and refund.status <> 'failed'
      ) as given
      where coalesce(total, 0) <> amount_refunded or amount_refunded > amount`,
    'A refund has the merchant, mode and currency of its payment, and the payment is completed': sql`
      select 'refund', refunded.id, concat_ws(' ', paid.merchant_id, paid.mode, paid.currency, 'completed'),
        concat_ws(' ', refunded.merchant_id, refunded.mode, refunded.currency, paid.status)
      from refunded cross join lateral (
        select merchant_id, mode, currency, status from payment where payment.id = refunded.payment_id offset 0) as paid
      where (paid.merchant_id, paid.mode, paid.currency, paid.status)
        <> (refunded.merchant_id, refunded.mode, refunded.currency, 'completed')`,
  },
};
