/**
 * Forgets events and deliveries after `RETENTION_DAYS`. A delivery goes once it has ended. Events and attempts go with their
 * day, in one piece, once no delivery belongs to any of that day; where one still does, all others of the day go one by one.
 * So what is still owed, or was sent again since, keeps all that it is made of. Ids begin with the time at which they were
 * made: the oldest rows are the first of the primary key, and no other index is needed.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Context, ofItsOwn, type WriteContext } from '../../context.ts';
import {
  changePartitions,
  type DailyTable,
  databaseTime,
  dayOf,
  isInTheWay,
  later,
  listPartitions,
  type Partition,
} from '../../database/daily-partitions.ts';
import { inOwnStatement, rowsOf, run } from '../../database/statement.ts';
import { inBatches, inTransaction } from '../../database/transaction.ts';
import { firstIdAt, skewMs } from '../../kit/ids.ts';

const batch = 5000;

/** Two that run at once skip each other's rows, and each other's days. */
export async function purgeDeliveries(context: Context): Promise<void> {
  const keptSince = later(await databaseTime(context), -context.config.retentionDays);
  const [firstKept, firstOfDay] = [firstIdAt(keptSince), firstIdAt(dayOf(keptSince))];
  // The counts of an hour go before its first delivery does; the deliveries that remain are then counted one by one.
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
      await inTransaction(ofItsOwn(context), (transaction) => dropUnlessNeeded(transaction, table, partition));
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      context.log.info({ err: error, partition: partition.name }, 'a day that is over is dropped later');
    }
  }
}

/**
 * Looks before it locks, because a lock holds everybody up, and again after: whoever sends an event again has read it in the
 * same transaction, so with the lock nobody can any more.
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

// All are written so that every batch goes by the indexes: joined, the whole of each table would be read for each.

const oldDeliveries = (keptFrom: string) => sql`
  delete from delivery where id = any (array(
    select id from delivery where id < ${keptFrom} and status <> 'pending'
    order by id limit ${batch} for update skip locked))`;

/** A delivery may have been created a moment after its id was made. */
const purgeHours = (keptSince: Date) => sql`
  delete from delivery_hour where starts_at < ${new Date(keptSince.getTime() + skewMs)}`;

/** A resend locks the old delivery before it makes the new one, so that there is never a moment without either. */
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
