import type { Context } from '../../context.ts';
import { firstIdAt } from '../../kit/ids.ts';
import {
  addDays,
  changePartitions,
  changingPartitions,
  createDaySql,
  type DailyTable,
  dailyTables,
  databaseTime,
  dayOf,
  isBlocked,
  listPartitions,
} from '../../platform/database/schema/daily-partitions.ts';
import { inOwnStatement } from '../../platform/database/statement.ts';

/** The job may fail for this many days without harm. */
const daysAhead = 7;

/** Rows of a day that are already in the partition `…_other` stay there, where purging them is slower. */
export async function makeDays(context: Context): Promise<void> {
  for (const table of Object.keys(dailyTables) as DailyTable[]) {
    for (const day of await missingDays(context, table)) {
      try {
        await changingPartitions(context, (tx) => changePartitions(tx, createDaySql(table, day)));
      } catch (error) {
        if (!isBlocked(error)) throw error;
        context.log.warn({ err: error, table, day }, 'Failed to create the partition of a day; the next run retries');
      }
    }
  }
}

async function missingDays(context: Context, table: DailyTable): Promise<Date[]> {
  const partitions = await inOwnStatement(context, (statement) => listPartitions(statement, table));
  const today = dayOf(await databaseTime(context));
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => addDays(today, ahead));
  return days.filter(
    (day) => !partitions.some(({ from, to }) => (from ?? '') <= firstIdAt(day) && firstIdAt(day) < to),
  );
}
