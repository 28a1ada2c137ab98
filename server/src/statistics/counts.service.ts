/** Payments, deliveries and receivers' answers, counted by the moment of their creation, as the lists filter them. */
import { type RawBuilder, sql } from 'kysely';
import type { Called, Context } from '../context.ts';
import { rowsOutsideTransaction } from '../database/statement.ts';
import { answersOfClosed, countsOfClosed, openDeliveries, type Parts } from '../delivery/log/closed-hours.service.ts';
import { paymentCounts } from '../payments/payment-hours.service.ts';
import { type Span, startsOf } from './span.ts';

export interface PaymentCount {
  currency: string;
  created: number;
  completed: number;
  failed: number;
  expired: number;
  /** Of the completed ones, in the currency's minor unit. */
  amount: number;
}

export interface DeliveryCount {
  created: number;
  delivered: number;
  failed: number;
  skipped: number;
  pending: number;
}

export interface Counts {
  payments: PaymentCount[];
  deliveries: DeliveryCount;
}

/** How long receivers took to answer, in milliseconds. Null where nobody answered. */
export interface AnswerTimes {
  answered: number;
  median: number | null;
  p95: number | null;
}

/** A decline that has not been followed by money: how many payments have it as their last. */
export interface DeclineCount {
  code: string;
  message: string;
  count: number;
}

/** A time, and which parts of it are counted in which way. */
export interface SplitSpan {
  span: Span;
  parts: Parts;
}

/** A row of a count, with the interval that it is of, in milliseconds. */
type OfInterval<Count> = Count & { startsAt: number };

/** The whole time in order, also where nothing happened. */
export function countsByInterval(
  span: Span,
  payments: readonly OfInterval<PaymentCount>[],
  deliveries: readonly OfInterval<DeliveryCount>[],
): (Counts & { startsAt: Date })[] {
  return startsOf(span).map((start) => ({
    startsAt: new Date(start),
    payments: payments.filter(({ startsAt }) => startsAt === start),
    deliveries: deliveries.find(({ startsAt }) => startsAt === start) ?? none,
  }));
}

export async function countPayments(context: Context & Called, span: Span): Promise<OfInterval<PaymentCount>[]> {
  const payments = await paymentCounts(context, span);
  return rowsOutsideTransaction<OfInterval<PaymentCount>>(context)`
    select extract(epoch from ${startOf(span, sql`created_at`)})::float8 * 1000 as "startsAt", currency,
      sum(payments)::float8 as created,
      coalesce(sum(payments) filter (where status = 'completed'), 0)::float8 as completed,
      coalesce(sum(payments) filter (where status = 'failed'), 0)::float8 as failed,
      coalesce(sum(payments) filter (where status = 'expired'), 0)::float8 as expired,
      coalesce(sum(amount) filter (where status = 'completed'), 0)::float8 as amount
    from ${payments}
    group by 1, currency
    order by currency`;
}

/** Of closed hours, and of the deliveries of those that are not. */
export async function countDeliveries(
  context: Context & Called,
  { span, parts }: SplitSpan,
): Promise<OfInterval<DeliveryCount>[]> {
  return rowsOutsideTransaction<OfInterval<DeliveryCount>>(context)`
    select extract(epoch from starts_at)::float8 * 1000 as "startsAt",
      sum(deliveries)::float8 as created,
      coalesce(sum(deliveries) filter (where status = 'delivered'), 0)::float8 as delivered,
      coalesce(sum(deliveries) filter (where status = 'failed'), 0)::float8 as failed,
      coalesce(sum(deliveries) filter (where status = 'skipped'), 0)::float8 as skipped,
      coalesce(sum(deliveries) filter (where status = 'pending'), 0)::float8 as pending
    from (
      select ${startOf(span, sql`closed.starts_at`)} as starts_at, status, deliveries
      from ${countsOfClosed(context, parts)}
      union all
      select ${startOf(span, sql`created_at`)}, status, count(*)
      from ${openDeliveries(context, parts)}
      group by 1, 2
    ) as counted
    group by starts_at`;
}

/**
 * Of all attempts for the deliveries of the time that a receiver answered, with whatever status. As `percentile_disc` has it: the
 * shortest time within which so many were answered.
 * See docs/decisions/figures.md, "Percentiles are times that were measured".
 */
export async function measureAnswers(context: Context & Called, { parts }: SplitSpan): Promise<AnswerTimes> {
  const rows = await rowsOutsideTransaction<AnswerTimes>(context)`
    with answer as (
      select duration_ms, sum(answers) as answers from (
        select duration_ms, answers from ${answersOfClosed(context, parts)}
        union all
        select duration_ms, 1 from ${openDeliveries(context, parts)} cross join lateral (
          select duration_ms from delivery_attempt where delivery_id = delivery.id and status_code is not null offset 0
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

/** The commonest first. A payment that was paid in the end has no decline any more. */
export async function countDeclines(context: Context & Called, span: Span, limit: number): Promise<DeclineCount[]> {
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

/** The start of the interval that a moment lies in: of a day or hour of UTC. */
export function startOf({ interval }: Span, moment: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`date_bin(${`1 ${interval}`}::interval, ${moment}, '1970-01-01T00:00:00Z'::timestamptz)`;
}

export function paymentsInTotal(counts: readonly PaymentCount[]): PaymentCount[] {
  const byCurrency = Map.groupBy(counts, ({ currency }) => currency);
  return [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => all.reduce(addedPayments));
}

export function deliveriesInTotal(counts: readonly DeliveryCount[]): DeliveryCount {
  return counts.reduce(addedDeliveries, none);
}

const addedPayments = (one: PaymentCount, other: PaymentCount): PaymentCount => ({
  currency: one.currency,
  created: one.created + other.created,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  expired: one.expired + other.expired,
  amount: one.amount + other.amount,
});

const addedDeliveries = (one: DeliveryCount, other: DeliveryCount): DeliveryCount => ({
  created: one.created + other.created,
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  pending: one.pending + other.pending,
});

const none: DeliveryCount = { created: 0, delivered: 0, failed: 0, skipped: 0, pending: 0 };
