import { type Context, ofItsOwn } from '../../context.ts';
import {
  changePartitions,
  createDay,
  type DailyTable,
  dailyTables,
  databaseTime,
  dayOf,
  isInTheWay,
  later,
  listPartitions,
} from '../../database/daily-partitions.ts';
import { inOwnStatement } from '../../database/statement.ts';
import { inTransaction } from '../../database/transaction.ts';
import { firstIdAt } from '../../kit/ids.ts';

/** So many days without this job do no harm. */
const daysAhead = 7;

/**
 * Makes the partitions of today and the days to come. Another process may make the same one at once; and a day of which rows
 * lie in `…_other` already stays there, where they are as good, but for taking longer to forget.
 */
export async function makeDays(context: Context): Promise<void> {
  for (const table of Object.keys(dailyTables) as DailyTable[]) {
    for (const day of await missingDays(context, table)) {
      try {
        await inTransaction(ofItsOwn(context), (transaction) => changePartitions(transaction, createDay(table, day)));
      } catch (error) {
        if (!isInTheWay(error)) throw error;
        context.log.warn({ err: error, table, day }, 'the partition of a day cannot be made now');
      }
    }
  }
}

async function missingDays(context: Context, table: DailyTable): Promise<Date[]> {
  const partitions = await inOwnStatement(context, (statement) => listPartitions(statement, table));
  const today = dayOf(await databaseTime(context));
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => later(today, ahead));
  return days.filter(
    (day) => !partitions.some(({ from, to }) => (from ?? '') <= firstIdAt(day) && firstIdAt(day) < to),
  );
}
