/**
 * Events and attempts are removed by dropping the partition of their day. While a delivery still needs a row of the
 * partition, the other rows of that day are removed in batches instead: a delivery that is pending, or was resent
 * later, keeps its event and attempts. An id begins with its time, so the primary key lists the oldest rows first.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WriteContext } from '../../context.ts';
import { firstIdAt, skewMs } from '../../kit/ids.ts';
import {
  addDays,
  changePartitions,
  changingPartitions,
  type DailyTable,
  databaseTime,
  dayOf,
  isBlocked,
  listPartitions,
  type Partition,
} from '../../platform/database/schema/daily-partitions.ts';
import { inOwnStatement, rowsOf, run } from '../../platform/database/statement.ts';
import { inBatches } from '../../platform/database/transaction.ts';

const batch = 5000;

/** Two processes may run this job at the same time: each skips rows and days that the other process has locked. */
export async function purgeDeliveries(context: Context): Promise<void> {
  const keptSince = addDays(await databaseTime(context), -context.config.retentionDays);
  const [firstKept, firstOfDay] = [firstIdAt(keptSince), firstIdAt(dayOf(keptSince))];
  // The counts of an hour are removed before its first delivery. The remaining deliveries are then counted one by one.
  await inOwnStatement(context, (statement) => run(statement)`${purgeHours(keptSince)}`);
  await purgeRows(context, oldDeliveries(firstKept));
  await dropDays(context, 'event', firstOfDay);
  await dropDays(context, 'delivery_attempt', firstOfDay);
  await purgeRows(context, oldEvents(firstOfDay));
  await purgeRows(context, oldAttempts(firstOfDay));
}

async function dropDays(context: Context, table: DailyTable, keptFrom: string): Promise<void> {
  const partitions = await inOwnStatement(context, (statement) => listPartitions(statement, table));
  for (const partition of partitions.filter(({ to }) => to <= keptFrom)) {
    try {
      await changingPartitions(context, (tx) => dropUnlessNeeded(tx, table, partition));
    } catch (error) {
      if (!isBlocked(error)) throw error;
      context.log.info({ err: error, partition: partition.name }, 'A partition is in use and will be dropped later');
    }
  }
}

/**
 * The first check avoids the lock, which makes other transactions wait; the second check is made under the lock. A
 * resend reads the event first, so no event of the locked partition can be resent.
 */
async function dropUnlessNeeded(context: WriteContext, table: DailyTable, partition: Partition): Promise<void> {
  if (await isNeeded(context, table, partition)) return;
  await changePartitions(context, `lock table ${table} in access exclusive mode`);
  if (await isNeeded(context, table, partition)) return;
  await changePartitions(context, `drop table if exists ${partition.name}`);
}

async function isNeeded(tx: WriteContext, table: DailyTable, { from, to }: Partition): Promise<boolean> {
  const id = sql.ref(table === 'event' ? 'event_id' : 'id');
  const rows = await rowsOf(tx)`
    select ${id} from delivery where ${id} >= ${from ?? firstIdAt(new Date(0))} and ${id} < ${to}
    order by ${id} limit 1`;
  return rows.length > 0;
}

function purgeRows(context: Context, purge: RawBuilder<unknown>): Promise<void> {
  return inBatches(context, async (tx) => (await run(tx)`${purge}`) === batch);
}

// Each statement finds its batch by an index. With a join, each batch would read whole tables.

const oldDeliveries = (keptFrom: string) => sql`
  delete from delivery where id = any (array(
    select id from delivery where id < ${keptFrom} and status <> 'pending'
    order by id limit ${batch} for update skip locked))`;

/** `skewMs` is added, because a delivery's `created_at` may be slightly later than the time in its id. */
const purgeHours = (keptSince: Date) => sql`
  delete from delivery_hour where starts_at < ${new Date(keptSince.getTime() + skewMs)}`;

/** A resend locks the old delivery until the new delivery is inserted, so an event that is being resent is kept. */
const oldEvents = (keptFrom: string) => sql`
  delete from event where id = any (array(
    select id from event
    where id < ${keptFrom} and (select id from delivery where event_id = event.id limit 1) is null
    order by id limit ${batch} for update skip locked))`;

const oldAttempts = (keptFrom: string) => sql`
  delete from delivery_attempt where (delivery_id, attempt) in (
    select delivery_id, attempt from delivery_attempt
    where delivery_id < ${keptFrom} and (select id from delivery where id = delivery_id limit 1) is null
    order by delivery_id, attempt limit ${batch} for update skip locked)`;
