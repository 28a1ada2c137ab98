/**
 * Counts deliveries of the caller's merchant and mode. Hours of UTC that are closed have their counts (`close-hours.job.ts`);
 * what lies before, between and after them is counted from the deliveries themselves.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Called, Context } from '../../context.ts';
import { hoursOfPage, type PlaceInHours, placeOf } from '../../database/place-page.ts';
import { rowsOutsideTransaction } from '../../database/statement.ts';
import { hourMs, type Time } from '../../kit/hours.ts';
import { boundsOf } from '../../kit/ids.ts';
import type { Page } from '../../kit/pagination.ts';
import type { DeliveryStatus } from '../queue/delivery.entity.ts';

/** A time in two parts: the hours in it that are closed, in order, and the times around them. */
export interface Parts {
  closed: Date[];
  open: Time[];
}

export async function splitByHours(context: Context & Called, { from, to }: Time): Promise<Parts> {
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

function timesAround(hours: readonly Date[], { from, to }: Time): Time[] {
  const ends = hours.map((hour) => new Date(hour.getTime() + hourMs));
  const times = [...hours, to].map((end, index) => ({ from: index === 0 ? from : ends[index - 1], to: end }));
  return times.filter((time) => !time.from || !time.to || time.from < time.to);
}

/** The counts of closed hours, as a table of `starts_at`, `endpoint_id`, `event`, `status` and `deliveries`. */
export function countsOfClosed({ principal: { merchantId, mode } }: Called, { closed }: Parts): RawBuilder<unknown> {
  return sql`(
    select starts_at, endpoint_id, event, status, deliveries from delivery_hour_count
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

/** How the attempts of closed hours did, as a table of `starts_at`, `endpoint_id`, `attempts`, `median` and `p95`. */
export function attemptsOfClosed({ principal: { merchantId, mode } }: Called, { closed }: Parts): RawBuilder<unknown> {
  return sql`(
    select starts_at, endpoint_id, attempts, median, p95 from delivery_hour_attempts
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

/**
 * How long receivers took in closed hours, as a table of `duration_ms` and `answers`. The two lists of an hour are equally long. They
 * are taken apart side by side, in half the time that a join with them takes.
 */
export function answersOfClosed({ principal: { merchantId, mode } }: Called, { closed }: Parts): RawBuilder<unknown> {
  return sql`(
    select unnest(durations) as duration_ms, unnest(answers) as answers from delivery_hour
    where merchant_id = ${merchantId} and mode = ${mode} and starts_at = any(${isoOf(closed)}::timestamptz[])
  ) as closed`;
}

/**
 * The deliveries of the times that are not closed, as a table `delivery` beside `open`, which has the bounds of the time. Of each
 * time they are looked up by the index of their ids: without `offset 0` Postgres may take one look at the whole table instead.
 */
export function openDeliveries({ principal: { merchantId, mode } }: Called, { open }: Parts): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(boundsOf(open))}::json)
    as open (from_at timestamptz, to_at timestamptz, first_id uuid, last_id uuid)
    cross join lateral (
      select id, event_id, endpoint_id, status, created_at from delivery
      where merchant_id = ${merchantId} and mode = ${mode}
        and id >= first_id and id < last_id and created_at >= from_at and created_at < to_at
      offset 0
    ) as delivery`;
}

export interface Counted extends Time {
  endpointId?: string | undefined;
  event?: string | undefined;
  status?: DeliveryStatus | undefined;
}

/** Where a page of a list of deliveries lies, or null where no hour is closed: those are few, or all are to be read anyway. */
export async function placeDeliveries(
  context: Context & Called,
  counted: Counted,
  page: Page & { order: 'asc' | 'desc' },
): Promise<PlaceInHours | null> {
  const { endpointId, event, status, ...time } = counted;
  const parts = await splitByHours(context, time);
  if (parts.closed.length === 0) return null;
  const counts = sql`
    select starts_at as created_at, deliveries as records from ${countsOfClosed(context, parts)}
    where ${isWanted({ endpointId, status })} ${event ? sql`and event = ${event}` : sql``}
    union all
    select created_at, 1 from ${openDeliveries(context, parts)} where ${isWanted(counted)}`;
  return placeOf(await hoursOfPage(context, counts, page), page, time);
}

/**
 * The ids of a page's deliveries, by the hours alone that have any of them: a delivery does not know its event's name, and the
 * hours of a rare event may be weeks apart.
 */
export async function idsOfPage(
  context: Context & Called,
  counted: Counted,
  { hours, limit, offset, order }: PlaceInHours & { order: 'asc' | 'desc' },
): Promise<string[]> {
  const rows = await rowsOutsideTransaction<{ id: string }>(context)`
    select id from ${openDeliveries(context, { closed: [], open: hours })} where ${isWanted(counted)}
    order by id ${sql.raw(order)} limit ${limit} offset ${offset}`;
  return rows.map(({ id }) => id);
}

/** Of the table `delivery` or `closed`. */
const isWanted = ({ endpointId, event, status }: Omit<Counted, keyof Time>) => sql`true
  ${endpointId ? sql`and endpoint_id = ${endpointId}` : sql``}
  ${status ? sql`and status = ${status}` : sql``}
  ${event ? sql`and (select name from event where event.id = event_id) = ${event}` : sql``}`;

const isoOf = (moments: readonly Date[]): string[] => moments.map((moment) => moment.toISOString());
