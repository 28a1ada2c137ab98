/** Payments, deliveries and receivers' answers, counted by the moment of their creation, as the lists filter them. */
import { type RawBuilder, sql } from 'kysely';
import type { Called, Context } from '../context.ts';
import { inOwnStatement } from '../database/own-statement.ts';
import { firstIdAt } from '../kit/ids.ts';
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
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<OfInterval<PaymentCount>>`
      select ${startOf(span)} as "startsAt", currency,
        count(*)::float8 as created,
        (count(*) filter (where status = 'completed'))::float8 as completed,
        (count(*) filter (where status = 'failed'))::float8 as failed,
        (count(*) filter (where status = 'expired'))::float8 as expired,
        coalesce(sum(amount) filter (where status = 'completed'), 0)::float8 as amount
      from payment where ${isWithin(context, span)}
      group by 1, 2
      order by 2`.execute(em.getKysely()),
  );
  return rows;
}

export async function countDeliveries(context: Context & Called, span: Span): Promise<OfInterval<DeliveryCount>[]> {
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<OfInterval<DeliveryCount>>`
      select ${startOf(span)} as "startsAt",
        count(*)::float8 as created,
        (count(*) filter (where status = 'delivered'))::float8 as delivered,
        (count(*) filter (where status = 'failed'))::float8 as failed,
        (count(*) filter (where status = 'skipped'))::float8 as skipped,
        (count(*) filter (where status = 'pending'))::float8 as pending
      from delivery where ${isWithin(context, span)}
      group by 1`.execute(em.getKysely()),
  );
  return rows;
}

/** Of all attempts for the deliveries of the time that a receiver answered, with whatever status. */
export async function measureAnswers(context: Context & Called, span: Span): Promise<AnswerTimes> {
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<AnswerTimes>`
      select count(*)::float8 as answered,
        percentile_disc(0.5) within group (order by duration_ms) as median,
        percentile_disc(0.95) within group (order by duration_ms) as p95
      from delivery_attempt
      join (select id from delivery where ${isWithin(context, span)}) as wanted on wanted.id = delivery_id
      where delivery_id >= ${firstIdOf(span)} and status_code is not null`.execute(em.getKysely()),
  );
  return rows[0] ?? { answered: 0, median: null, p95: null };
}

/** The commonest first. A payment that was paid in the end has no decline any more. */
export async function countDeclines(context: Context & Called, span: Span, limit: number): Promise<DeclineCount[]> {
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<DeclineCount>`
      select failure_code as code, mode() within group (order by failure_message) as message, count(*)::float8 as count
      from payment where ${isWithin(context, span)} and failure_code is not null
      group by 1
      order by 3 desc, 1
      limit ${limit}`.execute(em.getKysely()),
  );
  return rows;
}

export function startOf({ interval }: Span): RawBuilder<number> {
  return sql`extract(epoch from date_trunc(${interval}, created_at, 'UTC'))::float8 * 1000`;
}

export function isWithin({ principal }: Called, span: Span): RawBuilder<boolean> {
  return sql`merchant_id = ${principal.merchantId} and mode = ${principal.mode}
    and id >= ${firstIdOf(span)} and created_at >= ${span.from} and created_at < ${span.to}`;
}

/** An id is made with its row, so that the index of ids leads to where the span begins; a minute is for clocks that differ. */
export function firstIdOf({ from }: Span): string {
  return firstIdAt(new Date(Math.max(0, from.getTime() - 60_000)));
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
