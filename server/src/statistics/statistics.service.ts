/**
 * Counts over time, for the dashboard. Everything is counted by the moment of its creation, as the lists filter it, so that
 * a number here is the `total` of the list behind it.
 */
import { sql } from 'kysely';
import type { Called, Context } from '../context.ts';
import { inOwnStatement } from '../database/own-statement.ts';
import { invalid } from '../kit/errors.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';

export type IntervalName = keyof typeof intervalMs;

export interface PaymentCount {
  currency: string;
  created: number;
  completed: number;
  failed: number;
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

export interface Interval extends Counts {
  startsAt: Date;
}

export interface Statistics extends Counts {
  from: Date;
  to: Date;
  interval: IntervalName;
  intervals: Interval[];
  failingEndpoints: WebhookEndpoint[];
}

interface Span {
  from: Date;
  to: Date;
  interval: IntervalName;
}

const intervalMs = { hour: 3_600_000, day: 86_400_000 };
const defaultSpanMs = 7 * intervalMs.day;
const maxIntervals = 750;
/** No calendar of ours has a year 0. */
const firstMoment = new Date('0001-01-01T00:00:00Z');

export async function getStatistics(
  context: Context & Called,
  asked: { from?: string; to?: string; interval?: IntervalName },
): Promise<Statistics> {
  const span = spanOf(asked, context.clock.now());
  const payments = await countPayments(context, span);
  const deliveries = await countDeliveries(context, span);
  const intervals = startsOf(span).map((startsAt) => ({
    startsAt,
    payments: payments.get(startsAt.getTime()) ?? [],
    deliveries: deliveries.get(startsAt.getTime()) ?? none,
  }));
  const failingEndpoints = (await listWebhookEndpoints(context)).filter(isFailing);
  return {
    ...span,
    payments: inTotal(intervals.flatMap((interval) => interval.payments)),
    deliveries: intervals.reduce((sum, interval) => added(sum, interval.deliveries), none),
    intervals,
    failingEndpoints,
  };
}

const none: DeliveryCount = { created: 0, delivered: 0, failed: 0, skipped: 0, pending: 0 };

function spanOf({ from, to, interval = 'day' }: Parameters<typeof getStatistics>[1], now: Date): Span {
  const end = to ? new Date(to) : now;
  const start = from ? new Date(from) : new Date(end.getTime() - defaultSpanMs);
  if (start < firstMoment) throw invalid('invalid_parameter', 'to', 'must leave seven days before it');
  if (start >= end) throw invalid('invalid_parameter', 'from', 'must be before to');
  const span = { from: start, to: end, interval };
  if ((end.getTime() - start.getTime()) / intervalMs[interval] > maxIntervals) {
    throw invalid('invalid_parameter', 'from', `must be at most ${maxIntervals} intervals before to`);
  }
  return span;
}

/** Where the intervals begin: with the hour or day in UTC in which the span begins. */
function startsOf({ from, to, interval }: Span): Date[] {
  const length = intervalMs[interval];
  const first = Math.floor(from.getTime() / length) * length;
  const count = Math.ceil((to.getTime() - first) / length);
  return Array.from({ length: count }, (_, index) => new Date(first + index * length));
}

/** A row of a count, with the interval that it is of, in milliseconds. */
type OfInterval<Count> = Count & { startsAt: number };

async function countPayments(context: Context & Called, { from, to, interval }: Span) {
  const { merchantId, mode } = context.principal;
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<OfInterval<PaymentCount>>`
      select extract(epoch from date_trunc(${interval}, created_at, 'UTC'))::float8 * 1000 as "startsAt", currency,
        count(*)::float8 as created,
        (count(*) filter (where status = 'completed'))::float8 as completed,
        (count(*) filter (where status = 'failed'))::float8 as failed,
        coalesce(sum(amount) filter (where status = 'completed'), 0)::float8 as amount
      from payment
      where merchant_id = ${merchantId} and mode = ${mode} and created_at >= ${from} and created_at < ${to}
      group by 1, 2
      order by 2`.execute(em.getKysely()),
  );
  return Map.groupBy(rows, ({ startsAt }) => startsAt);
}

async function countDeliveries(context: Context & Called, { from, to, interval }: Span) {
  const { merchantId, mode } = context.principal;
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<OfInterval<DeliveryCount>>`
      select extract(epoch from date_trunc(${interval}, created_at, 'UTC'))::float8 * 1000 as "startsAt",
        count(*)::float8 as created,
        (count(*) filter (where status = 'delivered'))::float8 as delivered,
        (count(*) filter (where status = 'failed'))::float8 as failed,
        (count(*) filter (where status = 'skipped'))::float8 as skipped,
        (count(*) filter (where status = 'pending'))::float8 as pending
      from delivery
      where merchant_id = ${merchantId} and mode = ${mode} and created_at >= ${from} and created_at < ${to}
      group by 1`.execute(em.getKysely()),
  );
  return new Map(rows.map((row) => [row.startsAt, row]));
}

function inTotal(counts: PaymentCount[]): PaymentCount[] {
  const byCurrency = Map.groupBy(counts, ({ currency }) => currency);
  return [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => all.reduce(addedPayments));
}

const addedPayments = (one: PaymentCount, other: PaymentCount): PaymentCount => ({
  currency: one.currency,
  created: one.created + other.created,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  amount: one.amount + other.amount,
});

const added = (one: DeliveryCount, other: DeliveryCount): DeliveryCount => ({
  created: one.created + other.created,
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  pending: one.pending + other.pending,
});

function isFailing({ failureStreak, disabledReason }: WebhookEndpoint): boolean {
  return failureStreak > 0 || Boolean(disabledReason);
}
