import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { hourMs, type TimeRange } from '../../../kit/hours.ts';
import type { Page } from '../../../kit/pagination.ts';
import { rowsOutsideTransaction } from '../statement.ts';

export interface Place extends Page {
  /** Null for a page behind the last record. */
  time: TimeRange | null;
  total: number;
}

/** The position of a page, found by adding up the number of records of each hour. */
export interface PlaceInHours extends Place {
  hours: TimeRange[];
}

interface OrderedPage extends Page {
  order: 'asc' | 'desc';
}

interface HoursOfPage {
  total: number;
  fromMs: number | null;
  untilMs: number | null;
  hoursMs: number[];
  before: number;
}

/**
 * Choice: the records of an hour are counted by `created_at`, but lists are ordered by id. So a record that was created
 * in the last millisecond of an hour may appear on the neighbouring page.
 * See docs/decisions/figures.md, "A page of payments or deliveries is found by the counts of hours".
 */
export async function hoursOfPage(
  context: Context,
  counts: RawBuilder<unknown>,
  { limit, offset, order }: OrderedPage,
): Promise<HoursOfPage> {
  const [row] = await rowsOutsideTransaction<HoursOfPage>(context)`
    with hour as (
      select date_bin('1 hour', created_at, '1970-01-01T00:00:00Z') as starts_at, sum(records) as records
      from (${counts}) as counted
      group by 1
    ),
    placed as (
      select starts_at, records, sum(records) over (order by starts_at ${sql.raw(order)}) - records as before from hour
    )
    select
      (select coalesce(sum(records), 0) from hour)::float8 as total,
      extract(epoch from min(starts_at))::float8 * 1000 as "fromMs",
      extract(epoch from max(starts_at))::float8 * 1000 as "untilMs",
      coalesce(array_agg(extract(epoch from starts_at)::float8 * 1000), '{}') as "hoursMs",
      coalesce(min(before), 0)::float8 as before
    from placed where before < ${offset + limit} and before + records > ${offset}`;
  if (!row) throw new Error('The query for the hours that a page of a list covers returned no row.');
  return row;
}

export function placeOf(
  { fromMs, untilMs, hoursMs, before, total }: HoursOfPage,
  { limit, offset }: Page,
  listed: TimeRange,
): PlaceInHours {
  if (fromMs === null || untilMs === null) return { time: null, hours: [], total, limit, offset: 0 };
  const within = (startMs: number, endMs: number) => ({
    from: new Date(Math.max(startMs, listed.from?.getTime() ?? startMs)),
    to: new Date(Math.min(endMs, listed.to?.getTime() ?? endMs)),
  });
  const hours = hoursMs.map((startMs) => within(startMs, startMs + hourMs));
  return { time: within(fromMs, untilMs + hourMs), hours, total, limit, offset: offset - before };
}
