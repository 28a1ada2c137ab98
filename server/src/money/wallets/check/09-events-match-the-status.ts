import { type RawBuilder, sql } from 'kysely';
import type { EventName } from '../../../webhooks/queue/publish.ts';
import type { Invariant } from './check-batch.ts';

export const eventsMatchTheStatus: Invariant = {
  number: 9,
  records: {
    'Each payment, refund and transfer has each event that its status requires once, and no other': ({
      eventsKeptSince,
    }) => sql`
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
};

/** Three SQL expressions about an event: whether it may exist, whether it must exist, and its time. */
interface Ending {
  may: RawBuilder<unknown>;
  must: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
}

// Choice: a completed payment may have an earlier event of a failure or expiry, because the processor may confirm late.
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

/** A refund that failed after it was completed has the events `refund.success` and `refund.failed`. */
const wasRefunded = sql`completed_at is not null`;
const refundEndings = {
  'refund.success': { may: wasRefunded, must: wasRefunded, at: sql`completed_at` },
  'refund.failed': { may: sql`status = 'failed'`, must: sql`status = 'failed'`, at: sql`updated_at` },
};

/** The compiler reports an event name that is missing here. */
export const reportedEvents = Object.keys({
  ...paymentEndings,
  ...transferEndings,
  ...refundEndings,
} satisfies Record<Exclude<EventName, 'test.event'>, Ending>);

function endingsIn(endings: Record<string, Ending>): RawBuilder<unknown> {
  const rows = Object.entries(endings).map(([name, { may, must, at }]) => sql`(${name}::text, ${may}, ${must}, ${at})`);
  return sql`(values ${sql.join(rows)}) as ending (name, may, must, at)`;
}
