/** Closed hours have stored counts. The deliveries outside closed hours are counted one by one. */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithOwner } from '../../context.ts';
import { hourMs, type TimeRange } from '../../kit/hours.ts';
import { boundsOf } from '../../kit/ids.ts';
import type { Page } from '../../kit/pagination.ts';
import { hoursOfPage, type PlaceInHours, placeOf } from '../../platform/database/lists/place-page.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';
import type { DeliveryStatus } from '../queue/delivery.entity.ts';

export interface SplitPeriod {
  closed: Date[];
  open: TimeRange[];
}

export async function splitByHours(context: Context & WithOwner, { from, to }: TimeRange): Promise<SplitPeriod> {
  const { merchantId, mode } = context.principal;
  const rows = await rowsOutsideTransaction<{ startMs: number }>(context)`
    select extract(epoch from starts_at)::float8 * 1000 as "startMs" from delivery_hour
    where merchant_id = ${merchantId} and mode = ${mode} and is_closed
      and starts_at >= ${from?.toISOString() ?? '-infinity'}::timestamptz
      and starts_at + interval '1 hour' <= ${to?.toISOString() ?? 'infinity'}::timestamptz
    order by starts_at`;
  const closed = rows.map(({ startMs }) => new Date(startMs));
  return { closed, open: timesAround(closed, { from, to }) };
}

/** The deliveries of `hours` are counted one by one, too. */
export function openedAt(hours: readonly Date[], { closed }: SplitPeriod, time: TimeRange): SplitPeriod {
  const opened = new Set(hours.map((hour) => hour.getTime()));
  const others = closed.filter((hour) => !opened.has(hour.getTime()));
  return { closed: others, open: timesAround(others, time) };
}

function timesAround(hours: readonly Date[], { from, to }: TimeRange): TimeRange[] {
  const ends = hours.map((hour) => new Date(hour.getTime() + hourMs));
  const times = [...hours, to].map((end, index) => ({ from: index === 0 ? from : ends[index - 1], to: end }));
  return times.filter((time) => !time.from || !time.to || time.from < time.to);
}

export function countsOfClosed(
  { principal: { merchantId, mode } }: WithOwner,
  { closed }: SplitPeriod,
): RawBuilder<unknown> {
  return sql`(
    select starts_at, endpoint_id, event, status, deliveries from delivery_hour_count
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

export function attemptsOfClosed(
  { principal: { merchantId, mode } }: WithOwner,
  { closed }: SplitPeriod,
): RawBuilder<unknown> {
  return sql`(
    select starts_at, endpoint_id, attempts, median, p95 from delivery_hour_attempts
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

/** Two calls of `unnest` in one `select` read the two lists of an hour in half the time of a join. */
export function answersOfClosed(
  { principal: { merchantId, mode } }: WithOwner,
  { closed }: SplitPeriod,
): RawBuilder<unknown> {
  return sql`(
    select unnest(durations) as duration_ms, unnest(answers) as answers from delivery_hour
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

/** Whether an attempt has a time to measure: the receiver answered, or the time for its answer ended. */
export const isTimed = sql<boolean>`(status_code is not null or error in ('timeout', 'connect_timeout'))`;

/** `offset 0` makes Postgres search each period by the index of ids, instead of reading the whole table. */
export function deliveriesOutsideClosedHours(
  { principal: { merchantId, mode } }: WithOwner,
  { open }: SplitPeriod,
): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(boundsOf(open))}::json)
    as open (from_at timestamptz, to_at timestamptz, first_id uuid, last_id uuid)
    cross join lateral (
      select id, event_id, endpoint_id, status, attempt_count, created_at from delivery
      where merchant_id = ${merchantId} and mode = ${mode}
        and id >= first_id and id < last_id and created_at >= from_at and created_at < to_at
      offset 0
    ) as delivery`;
}

export interface Counted extends TimeRange {
  endpointId?: string | undefined;
  event?: readonly string[] | undefined;
  status?: readonly DeliveryStatus[] | undefined;
  retrying?: boolean | undefined;
}

/** Returns null if no hour is closed: then all deliveries must be counted. */
export async function placeDeliveries(
  context: Context & WithOwner,
  counted: Counted,
  page: Page & { order: 'asc' | 'desc' },
): Promise<PlaceInHours | null> {
  const { endpointId, event, status, retrying: _, ...time } = counted;
  const period = await splitByHours(context, time);
  if (period.closed.length === 0) return null;
  const counts = sql`
    select starts_at as created_at, deliveries as records from ${countsOfClosed(context, period)}
    where ${isWanted({ endpointId, status })} ${event ? sql`and event = any(${event}::text[])` : sql``}
    union all
    select created_at, 1 from ${deliveriesOutsideClosedHours(context, period)} where ${isWanted(counted)}`;
  return placeOf(await hoursOfPage(context, counts, page), page, time);
}

/** Reads only the hours of the page, because weeks may pass between two deliveries of a rare event. */
export async function idsOfPage(
  context: Context & WithOwner,
  counted: Counted,
  { hours, limit, offset, order }: PlaceInHours & { order: 'asc' | 'desc' },
): Promise<string[]> {
  const rows = await rowsOutsideTransaction<{ id: string }>(context)`
    select id from ${deliveriesOutsideClosedHours(context, { closed: [], open: hours })} where ${isWanted(counted)}
    order by id ${sql.raw(order)} limit ${limit} offset ${offset}`;
  return rows.map(({ id }) => id);
}

const isWanted = ({ endpointId, event, status, retrying }: Omit<Counted, keyof TimeRange>) => sql`true
  ${retrying === undefined ? sql`` : sql`and (status = 'pending' and attempt_count > 0) = ${retrying}`}
  ${endpointId ? sql`and endpoint_id = ${endpointId}` : sql``}
  ${status ? sql`and status = any(${status}::text[])` : sql``}
  ${event ? sql`and (select name from event where event.id = event_id) = any(${event}::text[])` : sql``}`;

const isoOf = (moments: readonly Date[]): string[] => moments.map((moment) => moment.toISOString());
