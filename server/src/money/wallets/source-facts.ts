/**
 * The invariants of payments, transfers, refunds and their events: parts of 5 and 6, and 9. They read the subqueries
 * `paid`, `sent`, `refunded` and `told`. The ledger is looked up row by row, by an index.
 */
import { type RawBuilder, sql } from 'kysely';
import type { EventName } from '../../webhooks/queue/publish.ts';
import type { Fact } from './check-part.ts';
import { refundKinds, transferKinds } from './posting-facts.ts';

/** Whether a payment, refund or transfer may have the event, whether it must have it, and since when. */
interface Ending {
  may: RawBuilder<unknown>;
  must: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
}

// Choice: a completed payment may have an earlier event that says failed or expired, because the processor can confirm
// a payment late. A payment that expired has its reason, and only then its event.
// See docs/decisions/money.md, "A payment that expired without a reason has no event".
const paymentEndings = {
  'checkout.success': { may: sql`status = 'completed'`, must: sql`status = 'completed'`, at: sql`completed_at` },
  'checkout.failed': {
    may: sql`expiry_reason is null and status in ('failed', 'completed')`,
    must: sql`status = 'failed'`,
    at: sql`updated_at`,
  },
  'checkout.expired': {
    may: sql`expiry_reason is not null and status in ('expired', 'completed')`,
    must: sql`expiry_reason is not null and status = 'expired'`,
    at: sql`updated_at`,
  },
};

const hasPaidOut = sql`status in ('completed', 'reversed')`;
const hasFailed = sql`status in ('failed', 'reversed')`;
const transferEndings = {
  'transfer.success': { may: hasPaidOut, must: hasPaidOut, at: sql`completed_at` },
  'transfer.failed': { may: hasFailed, must: hasFailed, at: sql`updated_at` },
};

/** A refund that failed after it was completed has both events. */
const wasRefunded = sql`completed_at is not null`;
const refundEndings = {
  'refund.success': { may: wasRefunded, must: wasRefunded, at: sql`completed_at` },
  'refund.failed': { may: sql`status = 'failed'`, must: sql`status = 'failed'`, at: sql`updated_at` },
};

/** The events that report the end of a payment, refund or transfer. The compiler reports an event that is missing here. */
export const reportedEvents = Object.keys({
  ...paymentEndings,
  ...transferEndings,
  ...refundEndings,
} satisfies Record<Exclude<EventName, 'test.event'>, Ending>);

/** Events from before `eventsKeptSince` may have been purged, so a missing one is no breach. */
export function sourceFacts(eventsKeptSince: Date): Fact[] {
  return [
    {
      invariant: 5,
      says: 'A transfer has each transaction that its status requires, once',
      breaches: sql`
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
            coalesce(posted.kinds, 'none') as found
          from refunded cross join lateral ${kindsPosted(sql`refunded.id`, refundKinds)} as posted
        ) as settled
        where expected <> found`,
    },
    {
      invariant: 6,
      says: 'The Collection wallet is credited with each completed payment',
      breaches: sql`
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
    },
    {
      invariant: 6,
      says: 'A payment has refunds of at most its amount that are completed or open, and shows their sum',
      breaches: sql`
        select 'payment', paid.id, 'refunds of ' || amount_refunded || ', at most ' || amount,
          'refunds of ' || coalesce(total, 0)
        from paid cross join lateral (
          select sum(refund.amount) as total from refund
          where payment_id = paid.id and is_posted and refund.status <> 'failed'
        ) as given
        where coalesce(total, 0) <> amount_refunded or amount_refunded > amount`,
    },
    {
      invariant: 6,
      says: 'A refund has the merchant, mode and currency of its payment, and the payment is completed',
      breaches: sql`
        select 'refund', refunded.id, concat_ws(' ', paid.merchant_id, paid.mode, paid.currency, 'completed'),
          concat_ws(' ', refunded.merchant_id, refunded.mode, refunded.currency, paid.status)
        from refunded cross join lateral (
          select merchant_id, mode, currency, status from payment where payment.id = refunded.payment_id offset 0) as paid
        where (paid.merchant_id, paid.mode, paid.currency, paid.status)
          <> (refunded.merchant_id, refunded.mode, refunded.currency, 'completed')`,
    },
    {
      invariant: 9,
      says: 'Each payment, refund and transfer has each event that its status requires once, and no other',
      breaches: sql`
        select coalesce(due.row_table, 'event'), coalesce(due.id, happened.any_id),
          coalesce(due.name, happened.name) || case when due.may then ' once' else ' never' end,
          coalesce(happened.times, 0) || ' times'
        from (
          select 'payment' as row_table, id, merchant_id, mode, reference, name, may, must and at > ${eventsKeptSince} as must
          from paid cross join lateral ${endingsIn(paymentEndings)}
          union all
          select 'transfer', id, merchant_id, mode, reference, name, may, must and at > ${eventsKeptSince}
          from sent cross join lateral ${endingsIn(transferEndings)}
          union all
          select 'refund', id, merchant_id, mode, reference, name, may, must and at > ${eventsKeptSince}
          from refunded cross join lateral ${endingsIn(refundEndings)}
        ) as due
        full join (
          select merchant_id, mode, reference, name, count(id) as times, min(id::text)::uuid as any_id
          from told group by merchant_id, mode, reference, name
        ) as happened using (merchant_id, mode, reference, name)
        where coalesce(happened.times, 0) > coalesce(due.may::int, 0) or (due.must and happened.times is null)`,
    },
  ];
}

/** The kinds of the transactions for a source, as one text. */
const kindsPosted = (id: RawBuilder<unknown>, kinds: RawBuilder<unknown>) => sql`(
  select string_agg(kind, ', ' order by kind collate "C") as kinds from ledger_transaction
  where kind in ${kinds} and source_id = ${id})`;

/** The rows of one payment, refund or transfer: each event with what its status says about it. */
function endingsIn(endings: Record<string, Ending>): RawBuilder<unknown> {
  const rows = Object.entries(endings).map(([name, { may, must, at }]) => sql`(${name}::text, ${may}, ${must}, ${at})`);
  return sql`(values ${sql.join(rows)}) as ending (name, may, must, at)`;
}
