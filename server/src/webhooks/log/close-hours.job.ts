/**
 * An hour of a merchant and mode is closed when none of its deliveries is pending. The counts of a closed hour are
 * stored, because a delivery that has ended never changes: a resend creates a new delivery.
 * See docs/decisions/figures.md, "An hour of deliveries is counted once it can no longer change".
 */
import { type RawBuilder, sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { hourMs } from '../../kit/hours.ts';
import { firstIdAt, idsOf } from '../../kit/ids.ts';
import { databaseTime } from '../../platform/database/schema/daily-partitions.ts';
import { inOwnStatement, rowsOf, run, type StatementContext } from '../../platform/database/statement.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';
import { isTimed } from './closed-hours.service.ts';

/**
 * Choice: an hour is closed one hour after its end, because by then all transactions that began in it have ended. The
 * clocks of hosts must differ by less than an hour.
 */
const waitMs = hourMs;

/** Two processes may run this job at the same time: each skips the hours that the other process has locked. */
export async function closeHours(context: Context): Promise<void> {
  const now = await databaseTime(context);
  const endMs = Math.floor((now.getTime() - waitMs) / hourMs) * hourMs;
  const keptFromMs = Math.ceil(now.getTime() / hourMs - context.config.retentionDays * 24) * hourMs;
  await inBatches(context, (tx) => openNextHour(tx, keptFromMs, endMs));
  for (const start of await inOwnStatement(context, listOpenHours)) {
    await inTransaction(withFreshEntityManager(context), (transaction) => closeHour(transaction, start));
  }
}

/** Returns false if no further hour has ended. */
async function openNextHour(tx: WriteContext, keptFromMs: number, endMs: number): Promise<boolean> {
  const [reached] = await rowsOf<{ untilMs: number | null }>(tx)`
    select extract(epoch from until)::float8 * 1000 as "untilMs" from delivery_hour_progress
    for update skip locked`;
  if (!reached) return false;
  const fromMs = Math.max(reached.untilMs ?? 0, keptFromMs);
  const [next] = await rowsOf<{ createdMs: number }>(tx)`
    select extract(epoch from created_at)::float8 * 1000 as "createdMs" from delivery
    where id >= ${firstIdAt(new Date(fromMs))} order by id limit 1`;
  const startMs = Math.max(fromMs, Math.floor((next?.createdMs ?? endMs) / hourMs) * hourMs);
  if (startMs >= endMs) return false;
  const [start, end] = [new Date(startMs), new Date(startMs + hourMs)];
  await run(tx)`
    with noted as (
      insert into delivery_hour (merchant_id, mode, starts_at)
      select distinct merchant_id, mode, ${start}::timestamptz from delivery where ${isOfHour(start)}
      on conflict do nothing
    )
    update delivery_hour_progress set until = ${end}`;
  return true;
}

async function listOpenHours(context: StatementContext): Promise<Date[]> {
  const rows = await rowsOf<{ startMs: number }>(context)`
    select distinct extract(epoch from starts_at)::float8 * 1000 as "startMs" from delivery_hour where not is_closed
    order by 1`;
  return rows.map(({ startMs }) => new Date(startMs));
}

/** All counts of an hour come from one statement, so that they agree with one another. */
async function closeHour(tx: WriteContext, start: Date): Promise<void> {
  const { firstId, lastId } = idsOf(start, new Date(start.getTime() + hourMs));
  await run(tx)`
    with hour as materialized (
      select merchant_id, mode from delivery_hour where starts_at = ${start} and not is_closed for update skip locked
    ),
    created as materialized (
      select id, event_id, endpoint_id, merchant_id, mode, status from delivery join hour using (merchant_id, mode)
      where ${isOfHour(start)}
    ),
    ready as materialized (
      select merchant_id, mode from hour
      except
      select merchant_id, mode from created where status = 'pending'
    ),
    ended as materialized (select created.* from created join ready using (merchant_id, mode)),
    counted as (
      insert into delivery_hour_count (merchant_id, mode, starts_at, endpoint_id, event, status, deliveries)
      select ended.merchant_id, ended.mode, ${start}::timestamptz, endpoint_id, name, status, count(*)
      from ended cross join lateral (select name from event where event.id = event_id limit 1) as event
      group by 1, 2, 4, 5, 6
    ),
    tried as materialized (
      select merchant_id, mode, endpoint_id, duration_ms, ${isTimed} as is_timed
      from ended join delivery_attempt on delivery_id = ended.id
      where delivery_id >= ${firstId} and delivery_id < ${lastId}
    ),
    measured as (
      insert into delivery_hour_attempts (merchant_id, mode, starts_at, endpoint_id, attempts, median, p95)
      select merchant_id, mode, ${start}::timestamptz, endpoint_id, count(*),
        percentile_disc(0.5) within group (order by duration_ms) filter (where is_timed),
        percentile_disc(0.95) within group (order by duration_ms) filter (where is_timed)
      from tried group by 1, 2, 4
    ),
    answered as (
      select merchant_id, mode, duration_ms, count(*)::int as answers from tried where is_timed group by 1, 2, 3
    ),
    timed as (
      select merchant_id, mode, array_agg(duration_ms order by duration_ms) as durations,
        array_agg(answers order by duration_ms) as answers
      from answered group by 1, 2
    )
    update delivery_hour set is_closed = true,
      durations = coalesce(timed.durations, '{}'), answers = coalesce(timed.answers, '{}')
    from ready left join timed using (merchant_id, mode)
    where delivery_hour.merchant_id = ready.merchant_id and delivery_hour.mode = ready.mode
      and starts_at = ${start}`;
}

function isOfHour(start: Date): RawBuilder<boolean> {
  const end = new Date(start.getTime() + hourMs);
  const { firstId, lastId } = idsOf(start, end);
  return sql`id >= ${firstId} and id < ${lastId} and created_at >= ${start} and created_at < ${end}`;
}
