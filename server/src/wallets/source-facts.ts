/** The invariants between the ledger and the payments, transfers and events: 4, 5, 6 and 9. Refunds have their own file. */
import { type RawBuilder, sql } from 'kysely';
import type { EventName } from '../delivery/queue/publish.ts';
import type { Fact } from './book-facts.ts';

const transferKinds = sql`('transfer_reserve', 'transfer_settle', 'transfer_return', 'transfer_reversal')`;

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
      invariant: 4,
      says: 'The reserved balance is the sum of the amounts and fees of open transfers',
      breaches: sql`
        select case when reserved.id is null then 'merchant' else 'ledger_account' end,
          coalesce(reserved.id, merchant_id), coalesce(total, 0), coalesce(balance, 0)
        from (select id, merchant_id, mode, currency, balance from account where kind = 'transfer_reserved') as reserved
        full join (
          select merchant_id, mode, currency, sum(amount + fee) as total
          from sent where status in ('pending', 'processing') group by merchant_id, mode, currency
        ) as under_way using (merchant_id, mode, currency)
        where coalesce(balance, 0) <> coalesce(total, 0)`,
    },
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
            coalesce(string_agg(posting.kind, ', ' order by posting.kind collate "C"), 'none') as found
          from sent left join posting on posting.source_id = sent.id and posting.kind in ${transferKinds}
          group by sent.id, status
        ) as settled
        where expected <> found`,
    },
    {
      invariant: 5,
      says: 'The transactions of a transfer move its amount and its fee',
      breaches: sql`
        select 'ledger_transaction', id, expected, found
        from (
          select posting.id, posting.kind, sent.amount, sent.fee, sent.amount + sent.fee as cost,
            coalesce(sum(entry.amount) filter (where account.kind = 'transfer'), 0) as transfer,
            coalesce(sum(entry.amount) filter (where account.kind = 'transfer_reserved'), 0) as reserved,
            coalesce(sum(entry.amount) filter (where account.kind = 'payout_clearing'), 0) as clearing,
            coalesce(sum(entry.amount) filter (where account.kind = 'fees'), 0) as fees
          from posting
          join sent on sent.id = posting.source_id
          left join entry on entry.transaction_id = posting.id
          left join account on account.id = entry.account_id
          where posting.kind in ${transferKinds}
          group by posting.id, posting.kind, sent.amount, sent.fee
        ) as moved
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
    {
      invariant: 5,
      says: 'There is a transfer for each transaction that names one',
      breaches: sql`
        select 'ledger_transaction', posting.id, 'transfer ' || posting.source_id, 'none'
        from posting left join sent on sent.id = posting.source_id
        where posting.kind in ${transferKinds} and sent.id is null`,
    },
    {
      invariant: 6,
      says: 'The Collection wallet is credited with each completed payment',
      breaches: sql`
        select 'payment', coalesce(completed.id, credited.source_id), coalesce(completed.amount::text, 'nothing'),
          coalesce(credited.amount::text, 'nothing')
        from (select id, amount from paid where status = 'completed') as completed
        full join (
          select posting.source_id, coalesce(sum(entry.amount), 0) as amount
          from posting
          left join (entry join account on account.id = entry.account_id and account.kind = 'collection')
            on entry.transaction_id = posting.id
          where posting.kind = 'payment' group by posting.source_id
        ) as credited on credited.source_id = completed.id
        where completed.amount is distinct from credited.amount`,
    },
    {
      invariant: 6,
      says: 'The Collection wallet is credited with nothing else but failed refunds',
      breaches: sql`
        select 'ledger_entry', entry.id, 'payment or failed refund', posting.kind
        from entry
        join account on account.id = entry.account_id and account.kind = 'collection'
        join posting on posting.id = entry.transaction_id
          and posting.kind not in ('payment', 'refund_return', 'refund_reversal')
        where entry.amount > 0`,
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

/** The rows of one payment, refund or transfer: each event with what its status says about it. */
function endingsIn(endings: Record<string, Ending>): RawBuilder<unknown> {
  const rows = Object.entries(endings).map(([name, { may, must, at }]) => sql`(${name}::text, ${may}, ${must}, ${at})`);
  return sql`(values ${sql.join(rows)}) as ending (name, may, must, at)`;
}
