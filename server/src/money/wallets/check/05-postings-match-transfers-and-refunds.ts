import { type RawBuilder, sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

const transferKinds = sql`('transfer_reserve', 'transfer_settle', 'transfer_return', 'transfer_reversal')`;
const refundKinds = sql`('refund_reserve', 'refund_settle', 'refund_return', 'refund_reversal')`;

const sumOf = (kind: string) => sql`coalesce(sum(entry.amount) filter (where account_kind = ${kind}), 0)`;

export const postingsMatchTransfersAndRefunds: Invariant = {
  number: 5,
  postings: {
    'The transactions of a transfer move its amount and its fee': sql`
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
    'There is a transfer for each transaction that names one': postingsWithout('transfer', transferKinds),
    'The transactions of a refund move its amount': sql`
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
    'There is a refund for each transaction that names one': postingsWithout('refund', refundKinds),
  },
  records: {
    'A transfer has each transaction that its status requires, once': sql`
      select 'transfer', id, expected, found
      from (
        select sent.id,
          case status
            when 'completed' then 'transfer_reserve, transfer_settle'
            when 'failed' then 'transfer_reserve, transfer_return'
            when 'reversed' then 'transfer_reserve, transfer_reversal, transfer_settle'
            else 'transfer_reserve'
          end as expected,
          coalesce(posted.kinds, 'none') as found
        from sent cross join lateral ${kindsPosted(sql`sent.id`, transferKinds)} as posted
      ) as settled
      where expected <> found`,
    'A refund has each transaction that its status requires, once': sql`
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
          coalesce(posted.kinds, 'none') as found
        from refunded cross join lateral ${kindsPosted(sql`refunded.id`, refundKinds)} as posted
      ) as settled
      where expected <> found`,
  },
};

function postingsWithout(what: 'transfer' | 'refund', kinds: RawBuilder<unknown>): RawBuilder<unknown> {
  const named = sql.table(what);
  return sql`
    select 'ledger_transaction', posting.id, ${`${what} `}::text || source_id, 'none'
    from posting
    where kind in ${kinds} and (select id from ${named} where ${named}.id = source_id limit 1) is null`;
}

function kindsPosted(id: RawBuilder<unknown>, kinds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select string_agg(kind, ', ' order by kind collate "C") as kinds from ledger_transaction
    where kind in ${kinds} and source_id = ${id})`;
}
