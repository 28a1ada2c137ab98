/**
 * Counts over time, for the dashboard. Everything is counted by the moment of its creation, as the lists filter it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Called, Context } from '../context.ts';
import { inOwnStatement } from '../database/own-statement.ts';
import { firstIdAt } from '../kit/ids.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';
import { type AskedSpan, type Span, spanOf, startsOf } from './span.ts';

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

export interface Statistics extends Counts, Span {
  intervals: (Counts & { startsAt: Date })[];
  failingEndpoints: WebhookEndpoint[];
}

export async function getStatistics(context: Context & Called, asked: AskedSpan): Promise<Statistics> {
  const span = spanOf(asked, context.clock.now());
  const payments = await countPayments(context, span);
  const deliveries = await countDeliveries(context, span);
  return {
    ...span,
    payments: inTotal(payments),
    deliveries: deliveries.reduce(added, none),
    intervals: startsOf(span).map((start) => ({
      startsAt: new Date(start),
      payments: payments.filter(({ startsAt }) => startsAt === start),
      deliveries: deliveries.find(({ startsAt }) => startsAt === start) ?? none,
    })),
    failingEndpoints: (await listWebhookEndpoints(context)).filter(isFailing),
  };
}

/** A row of a count, with the interval that it is of, in milliseconds. */
type OfInterval<Count> = Count & { startsAt: number };

async function countPayments(context: Context & Called, span: Span): Promise<OfInterval<PaymentCount>[]> {
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<OfInterval<PaymentCount>>`
      select ${startOf(span)} as "startsAt", currency,
        count(*)::float8 as created,
        (count(*) filter (where status = 'completed'))::float8 as completed,
        (count(*) filter (where status = 'failed'))::float8 as failed,
        coalesce(sum(amount) filter (where status = 'completed'), 0)::float8 as amount
      from payment where ${isWithin(context, span)}
      group by 1, 2
      order by 2`.execute(em.getKysely()),
  );
  return rows;
}

async function countDeliveries(context: Context & Called, span: Span): Promise<OfInterval<DeliveryCount>[]> {
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

function startOf({ interval }: Span): RawBuilder<number> {
  return sql`extract(epoch from date_trunc(${interval}, created_at, 'UTC'))::float8 * 1000`;
}

/** An id is made with its row, so that the index of ids leads to where the span begins; a minute is for clocks that differ. */
function isWithin({ principal }: Called, { from, to }: Span): RawBuilder<boolean> {
  const firstId = firstIdAt(new Date(Math.max(0, from.getTime() - 60_000)));
  return sql`merchant_id = ${principal.merchantId} and mode = ${principal.mode}
    and id >= ${firstId} and created_at >= ${from} and created_at < ${to}`;
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

const none: DeliveryCount = { created: 0, delivered: 0, failed: 0, skipped: 0, pending: 0 };

function isFailing({ failureStreak, disabledReason }: WebhookEndpoint): boolean {
  return failureStreak > 0 || Boolean(disabledReason);
}
