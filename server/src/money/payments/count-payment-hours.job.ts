/**
 * Counts payments by UTC hour, so that figures over long periods are sums of hours. A trigger marks the hour of a
 * changed payment as due, and this job counts that hour again.
 * See docs/decisions/figures.md, "Payments are counted by the hour, and a trigger notes later changes".
 */
import { type RawBuilder, sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { hourMs } from '../../kit/hours.ts';
import { firstIdAt, idsOf } from '../../kit/ids.ts';
import { databaseTime } from '../../platform/database/schema/daily-partitions.ts';
import { rowsOf, run } from '../../platform/database/statement.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';

/** An hour is counted at the earliest one hour after its end. The trigger of migration 023 relies on this delay. */
const countDelayMs = hourMs;
const batch = 500;

export async function countPaymentHours(context: Context): Promise<void> {
  const now = await databaseTime(context);
  const endMs = Math.floor((now.getTime() - countDelayMs) / hourMs) * hourMs;
  do {
    await inBatches(context, countDueHours);
  } while (await inTransaction(withFreshEntityManager(context), (transaction) => noteNextHour(transaction, endMs)));
}

// The statement that writes the counts deletes only the rows of `payment_hour_due` in its snapshot. If a payment
// changes later, the trigger adds a row, which keeps the hour due.
async function countDueHours(context: WriteContext): Promise<boolean> {
  if (!(await lockProgress(context))) return false;
  const rows = await rowsOf<{ merchant_id: string; mode: string; startMs: number }>(context)`
    select distinct merchant_id, mode, extract(epoch from starts_at)::float8 * 1000 as "startMs"
    from payment_hour_due limit ${batch}`;
  const hours = rows.map(({ startMs, ...owner }) => {
    const [start, end] = [new Date(startMs), new Date(startMs + hourMs)];
    const { firstId, lastId } = idsOf(start, end);
    return { ...owner, starts_at: start, ends_at: end, first_id: firstId, last_id: lastId };
  });
  if (hours.length > 0) await run(context)`${writeCounts(JSON.stringify(hours))}`;
  return hours.length === batch;
}

const writeCounts = (hours: string): RawBuilder<unknown> => sql`
  with hour as materialized (
    select * from json_to_recordset(${hours}::json) as given
      (merchant_id uuid, mode text, starts_at timestamptz, ends_at timestamptz, first_id uuid, last_id uuid)
  ),
  done as (
    delete from payment_hour_due as due using hour
    where due.merchant_id = hour.merchant_id and due.mode = hour.mode and due.starts_at = hour.starts_at
  ),
  outdated as (
    delete from payment_hour_count as old using hour
    where old.merchant_id = hour.merchant_id and old.mode = hour.mode and old.starts_at = hour.starts_at
  )
  insert into payment_hour_count
    (merchant_id, mode, starts_at, currency, status, failure_code, failure_message, payments, amount)
  select merchant_id, mode, starts_at, counted.* from hour cross join lateral (
    select currency, status, failure_code, failure_message, count(*), sum(amount) from payment
    where merchant_id = hour.merchant_id and mode = hour.mode and id >= first_id and id < last_id
      and created_at >= starts_at and created_at < ends_at
    group by currency, status, failure_code, failure_message
  ) as counted`;

async function noteNextHour(context: WriteContext, endMs: number): Promise<boolean> {
  const reached = await lockProgress(context);
  if (!reached) return false;
  const fromMs = reached.untilMs ?? 0;
  const [next] = await rowsOf<{ createdMs: number }>(context)`
    select extract(epoch from created_at)::float8 * 1000 as "createdMs" from payment
    where id >= ${firstIdAt(new Date(fromMs))} order by id limit 1`;
  const startMs = Math.max(fromMs, Math.floor((next?.createdMs ?? endMs) / hourMs) * hourMs);
  if (startMs >= endMs) return false;
  const [start, end] = [new Date(startMs), new Date(startMs + hourMs)];
  const { firstId, lastId } = idsOf(start, end);
  await run(context)`
    with noted as (
      insert into payment_hour_due (merchant_id, mode, starts_at)
      select distinct merchant_id, mode, ${start}::timestamptz from payment
      where id >= ${firstId} and id < ${lastId} and created_at >= ${start} and created_at < ${end}
    )
    update payment_hour_progress set until = ${end}`;
  return true;
}

/** Returns null while another process holds the lock of `payment_hour_progress`. */
async function lockProgress(tx: WriteContext): Promise<{ untilMs: number | null } | null> {
  const rows = await rowsOf<{ untilMs: number | null }>(tx)`
    select extract(epoch from until)::float8 * 1000 as "untilMs" from payment_hour_progress
    for update skip locked`;
  return rows[0] ?? null;
}
