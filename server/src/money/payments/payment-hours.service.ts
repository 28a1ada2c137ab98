/** `count-payment-hours.job.ts` counts whole UTC hours in advance. All other payments are counted here, one by one. */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithOwner } from '../../context.ts';
import { hourMs, type TimeRange } from '../../kit/hours.ts';
import { boundsOf } from '../../kit/ids.ts';
import type { Order, Page } from '../../kit/pagination.ts';
import { hoursOfPage, type Place, placeOf } from '../../platform/database/lists/place-page.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';
import type { PaymentStatus } from './payment.entity.ts';

/** Stored counts are used for `hours`, except for the hours in `due`. Payments in `open` are counted one by one. */
interface SplitPeriod {
  hours: { from: Date; to: Date; due: Date[] };
  open: TimeRange[];
}

interface CountFilter extends TimeRange {
  status?: readonly PaymentStatus[] | undefined;
  currency?: string | undefined;
}

export async function placePayments(
  context: Context & WithOwner,
  { status, currency, ...time }: CountFilter,
  page: Page & { order: Order },
): Promise<Place> {
  const counts = sql`
    select created_at, payments as records from ${await countsForList(context, time)}
    where true ${status ? sql`and status = any(${status}::text[])` : sql``} ${currency ? sql`and currency = ${currency}` : sql``}`;
  return placeOf(await hoursOfPage(context, counts, page), page, time);
}

/**
 * Returns SQL for the counts of a period. `created_at` is the start of a counted hour, or the time of one payment. The
 * payments of the hours `without` are counted one by one.
 */
export async function paymentCounts(
  context: Context & WithOwner,
  time: TimeRange,
  without: readonly Date[] = [],
): Promise<RawBuilder<unknown>> {
  return countsWith(
    context,
    { ...time, without },
    {
      ofHours: sql`starts_at as created_at, currency, status, failure_code, failure_message, payments, amount`,
      ofPayments: sql`created_at, currency, status, failure_code, failure_message, 1, amount`,
    },
  );
}

/** The counts have only the columns that lists filter by: an index covers them, so Postgres reads no table rows. */
function countsForList(context: Context & WithOwner, time: TimeRange): Promise<RawBuilder<unknown>> {
  return countsWith(context, time, {
    ofHours: sql`starts_at as created_at, currency, status, payments`,
    ofPayments: sql`created_at, currency, status, 1`,
  });
}

interface Columns {
  ofHours: RawBuilder<unknown>;
  ofPayments: RawBuilder<unknown>;
}

type Counted = TimeRange & { without?: readonly Date[] };

async function countsWith(context: Context & WithOwner, time: Counted, { ofHours, ofPayments }: Columns) {
  const { merchantId, mode } = context.principal;
  const { hours, open } = await splitByCountedHours(context, time);
  return sql`(
    select ${ofHours} from payment_hour_count
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at >= ${hours.from}
      and starts_at < ${hours.to}
      and starts_at <> all(${hours.due.map((hour) => hour.toISOString())}::timestamptz[])
    union all
    select payment.* from json_to_recordset(${JSON.stringify(boundsOf(open))}::json)
      as open (from_at timestamptz, to_at timestamptz, first_id uuid, last_id uuid)
    cross join lateral (
      select ${ofPayments} from payment
      where merchant_id = ${merchantId} and mode = ${mode}
        and id >= first_id and id < last_id and created_at >= from_at and created_at < to_at
      offset 0
    ) as payment
  ) as payment_count`;
}

async function splitByCountedHours(
  context: Context & WithOwner,
  { from, to, without = [] }: Counted,
): Promise<SplitPeriod> {
  const { untilMs, dueMs } = await readProgress(context);
  const firstMs = Math.ceil(Math.max(0, from?.getTime() ?? 0) / hourMs) * hourMs;
  const lastMs = Math.floor(Math.min(to?.getTime() ?? untilMs, untilMs) / hourMs) * hourMs;
  const [first, last] = [new Date(firstMs), new Date(lastMs)];
  if (firstMs >= lastMs) return { hours: { from: first, to: first, due: [] }, open: [{ from, to }] };
  const single = new Set([...dueMs, ...without.map((hour) => hour.getTime())]);
  const due = [...single].filter((ms) => ms >= firstMs && ms < lastMs).map((ms) => new Date(ms));
  const ofDue = due.map((hour) => ({ from: hour, to: new Date(hour.getTime() + hourMs) }));
  const around = [{ from, to: first }, ...ofDue, { from: last, to }];
  return {
    hours: { from: first, to: last, due },
    open: around.filter((time) => !time.from || !time.to || time.from < time.to),
  };
}

async function readProgress(context: Context & WithOwner): Promise<{ untilMs: number; dueMs: number[] }> {
  const { merchantId, mode } = context.principal;
  const rows = await rowsOutsideTransaction<{ untilMs: number; dueMs: number[] }>(context)`
    select coalesce(extract(epoch from until)::float8 * 1000, 0) as "untilMs",
      array(
        select distinct extract(epoch from starts_at)::float8 * 1000 from payment_hour_due
        where merchant_id = ${merchantId} and mode = ${mode}
      ) as "dueMs"
    from payment_hour_progress`;
  return rows[0] ?? { untilMs: 0, dueMs: [] };
}
