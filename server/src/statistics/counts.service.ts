import { type RawBuilder, sql } from 'kysely';
import type { Context, WithPrincipal } from '../context.ts';
import { paymentCounts } from '../money/payments/payment-hours.service.ts';
import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import {
  answersOfClosed,
  attemptsOfClosed,
  countsOfClosed,
  deliveriesOutsideClosedHours,
  isTimed,
  openedAt,
  type SplitPeriod,
} from '../webhooks/log/closed-hours.service.ts';
import { dividedHours, type Span } from './span.ts';

export interface PaymentCount {
  currency: string;
  created: number;
  completed: number;
  failed: number;
  expired: number;
  /** The sum of the completed payments, in the currency's minor unit. */
  amount: bigint;
}

export interface DeliveryCount {
  created: number;
  delivered: number;
  failed: number;
  skipped: number;
  pending: number;
  /** The part of `pending` that has failed at least once. */
  retrying: number;
  attempts: number;
}

export interface Counts {
  payments: PaymentCount[];
  deliveries: DeliveryCount;
}

/** How long receivers took to answer, in milliseconds. Null when there was no answer. */
export interface AnswerTimes {
  answered: number;
  median: number | null;
  p95: number | null;
}

/** The number of unpaid payments whose last decline has this code. */
export interface DeclineCount {
  code: string;
  message: string;
  count: number;
}

/** The counts of closed hours are stored; the rows of other times are counted one by one. */
export interface SplitSpan {
  span: Span;
  period: SplitPeriod;
}

export type OfInterval<Count> = Count & { startsAt: number };

export function countsByInterval(
  span: Span,
  payments: readonly OfInterval<PaymentCount>[],
  deliveries: readonly OfInterval<DeliveryCount>[],
): (Counts & { startsAt: Date })[] {
  return span.starts.map((start) => ({
    startsAt: start,
    payments: payments.filter(({ startsAt }) => startsAt === start.getTime()),
    deliveries: deliveries.find(({ startsAt }) => startsAt === start.getTime()) ?? noDeliveries,
  }));
}

export async function countPayments(context: Context & WithPrincipal, span: Span): Promise<OfInterval<PaymentCount>[]> {
  const payments = await paymentCounts(context, span, dividedHours(span));
  const rows = await rowsOutsideTransaction<Omit<OfInterval<PaymentCount>, 'amount'> & { amount: string }>(context)`
    select extract(epoch from ${intervalStart(span, sql`created_at`)})::float8 * 1000 as "startsAt", currency,
      sum(payments)::float8 as created,
      coalesce(sum(payments) filter (where status = 'completed'), 0)::float8 as completed,
      coalesce(sum(payments) filter (where status = 'failed'), 0)::float8 as failed,
      coalesce(sum(payments) filter (where status = 'expired'), 0)::float8 as expired,
      coalesce(sum(amount) filter (where status = 'completed'), 0)::text as amount
    from ${payments}
    group by 1, currency
    order by currency`;
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

export async function countDeliveries(
  context: Context & WithPrincipal,
  { span, period: whole }: SplitSpan,
): Promise<OfInterval<DeliveryCount>[]> {
  const period = openedAt(dividedHours(span), whole, span);
  return rowsOutsideTransaction<OfInterval<DeliveryCount>>(context)`
    select extract(epoch from starts_at)::float8 * 1000 as "startsAt",
      sum(deliveries)::float8 as created,
      coalesce(sum(deliveries) filter (where status = 'delivered'), 0)::float8 as delivered,
      coalesce(sum(deliveries) filter (where status = 'failed'), 0)::float8 as failed,
      coalesce(sum(deliveries) filter (where status = 'skipped'), 0)::float8 as skipped,
      coalesce(sum(deliveries) filter (where status = 'pending'), 0)::float8 as pending,
      sum(retrying)::float8 as retrying, sum(attempts)::float8 as attempts
    from (
      select ${intervalStart(span, sql`closed.starts_at`)} as starts_at, status, deliveries, 0 as retrying, 0 as attempts
      from ${countsOfClosed(context, period)}
      union all
      select ${intervalStart(span, sql`closed.starts_at`)}, null, 0, 0, attempts
      from ${attemptsOfClosed(context, period)}
      union all
      select ${intervalStart(span, sql`created_at`)}, status, count(*),
        count(*) filter (where status = 'pending' and attempt_count > 0), sum(attempt_count)
      from ${deliveriesOutsideClosedHours(context, period)}
      group by 1, 2
    ) as counted
    group by starts_at`;
}

/**
 * Measures the attempts that a receiver answered with any status, and those that timed out.
 * See docs/decisions/figures.md, "Percentiles are times that were measured".
 */
export async function measureAnswerTimes(
  context: Context & WithPrincipal,
  { period }: SplitSpan,
): Promise<AnswerTimes> {
  const rows = await rowsOutsideTransaction<AnswerTimes>(context)`
    with answer as (
      select duration_ms, sum(answers) as answers from (
        select duration_ms, answers from ${answersOfClosed(context, period)}
        union all
        select duration_ms, 1 from ${deliveriesOutsideClosedHours(context, period)} cross join lateral (
          select duration_ms from delivery_attempt where delivery_id = delivery.id and ${isTimed} offset 0
        ) as attempt
      ) as both_parts
      group by 1
    ),
    ranked as (
      select duration_ms, sum(answers) over (order by duration_ms) as rank, sum(answers) over () as answered from answer
    )
    select coalesce(max(answered), 0)::float8 as answered,
      min(duration_ms) filter (where rank >= ceil(0.5::float8 * answered::float8)) as median,
      min(duration_ms) filter (where rank >= ceil(0.95::float8 * answered::float8)) as p95
    from ranked`;
  return rows[0] ?? { answered: 0, median: null, p95: null };
}

/** Completed payments are not counted, because completing a payment clears its decline. */
export async function countDeclines(
  context: Context & WithPrincipal,
  span: Span,
  limit: number,
): Promise<DeclineCount[]> {
  const payments = await paymentCounts(context, span);
  return rowsOutsideTransaction<DeclineCount>(context)`
    select failure_code as code, sum(payments)::float8 as count,
      (array_agg(failure_message order by payments desc, failure_message))[1] as message
    from (
      select failure_code, failure_message, sum(payments) as payments from ${payments}
      where failure_code is not null
      group by failure_code, failure_message
    ) as declined
    group by failure_code
    order by count desc, failure_code
    limit ${limit}`;
}

/** Postgres finds the interval by a binary search in the starts, because days of a time zone differ in length. */
export function intervalStart({ starts }: Span, moment: RawBuilder<unknown>): RawBuilder<Date> {
  const times = starts.map((start) => start.toISOString());
  return sql`(${times}::timestamptz[])[width_bucket(${moment}, ${times}::timestamptz[])]`;
}

export function totalPayments(counts: readonly PaymentCount[]): PaymentCount[] {
  const byCurrency = Map.groupBy(counts, ({ currency }) => currency);
  return [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => all.reduce(addPayments));
}

export function totalDeliveries(counts: readonly DeliveryCount[]): DeliveryCount {
  return counts.reduce(addDeliveries, noDeliveries);
}

const addPayments = (one: PaymentCount, other: PaymentCount): PaymentCount => ({
  currency: one.currency,
  created: one.created + other.created,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  expired: one.expired + other.expired,
  amount: one.amount + other.amount,
});

const addDeliveries = (one: DeliveryCount, other: DeliveryCount): DeliveryCount => ({
  created: one.created + other.created,
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  pending: one.pending + other.pending,
  retrying: one.retrying + other.retrying,
  attempts: one.attempts + other.attempts,
});

/**
 * Exactly one attempt of a delivered delivery succeeded, and no attempt of any other delivery.
 * See docs/decisions/figures.md, "An attempt counts at once, in the hour of its delivery".
 */
export const failedAttempts = ({ attempts, delivered }: Pick<DeliveryCount, 'attempts' | 'delivered'>): number =>
  Math.max(0, attempts - delivered);

const noDeliveries: DeliveryCount = {
  created: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  pending: 0,
  retrying: 0,
  attempts: 0,
};
