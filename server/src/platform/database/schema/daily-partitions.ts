/**
 * Events and attempts are stored in a partition for each day, by the time in their UUID v7, so that the rows of a day
 * are removed by dropping the partition. Partitions are created in advance. If the partition for a row's day is
 * missing, because a clock was wrong or the partition was not created, the row goes to `…_other`, so that no event is
 * refused.
 * See docs/decisions/database.md, "Old rows are found by the time in their ids".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../../../context.ts';
import { firstIdAt } from '../../../kit/ids.ts';
import { rowsOf, rowsOutsideTransaction, run, type StatementContext } from '../statement.ts';
import { inTransaction } from '../transaction.ts';
import { giveWay, giveWayPauseMs, isTableInUse } from './give-way.ts';

/** The partitioned tables, each with the id whose time determines the day of a row. */
export const dailyTables = { event: 'id', delivery_attempt: 'delivery_id' } as const;

export type DailyTable = keyof typeof dailyTables;

export interface Partition {
  name: string;
  /**
   * The lowest id of the partition. The partition ends before the id `to`. Null for the partition of all rows before
   * the first day.
   */
  from: string | null;
  to: string;
}

const dayMs = 86_400_000;

/** Returns the start of a time's day, in UTC. */
export const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);

export const addDays = (day: Date, days: number): Date => new Date(day.getTime() + days * dayMs);

/**
 * Returns the time of the database's clock, because a host whose clock is a month ahead would remove a month of data.
 */
export async function databaseTime(context: Context): Promise<Date> {
  const [row] = await rowsOutsideTransaction<{ now: string }>(context)`select now()::text as now`;
  return new Date(row?.now ?? Number.NaN);
}

/** Returns all partitions without `…_other`, the oldest first. */
export function listPartitions(context: StatementContext, table: DailyTable): Promise<Partition[]> {
  return rowsOf<Partition>(context)`
    select relname as name, substring(bound from 'FROM \\(''([^'']+)') as "from", substring(bound from 'TO \\(''([^'']+)') as "to"
    from pg_inherits join pg_class on pg_class.oid = inhrelid cross join pg_get_expr(relpartbound, inhrelid) as bound
    where inhparent = ${table}::regclass and bound <> 'DEFAULT' order by 3`;
}

/** Returns the statement that creates the partition of a day, such as `event_20261121`. */
export function createDaySql(table: DailyTable, day: Date): string {
  return `create table ${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')} partition of ${table}
    for values from ('${firstIdAt(day)}') to ('${firstIdAt(addDays(day, 1))}')`;
}

/** The maximum number of times that one run of a job tries to change partitions. */
const tries = 5;

/**
 * Runs work that changes partitions in a transaction. While another transaction uses the table, retries after a pause.
 */
export async function changingPartitions<Result>(
  context: Context,
  work: (tx: Context & WriteContext) => Promise<Result>,
): Promise<Result> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await inTransaction(withFreshEntityManager(context), work);
    } catch (error) {
      if (left <= 0 || !isTableInUse(error)) throw error;
    }
    await sleep(giveWayPauseMs);
  }
}

/** Runs a statement that locks a table. Fails when another transaction uses the table. */
export async function changePartitions(context: StatementContext, statement: string): Promise<void> {
  await run(context)`${sql.raw(giveWay)}`;
  await run(context)`${sql.raw(statement)}`;
}

/** SQLSTATE: the partition already exists, or `…_other` has rows of the partition. */
const refusedCodes = ['42P07', '23514'];

/** Whether the error means that partitions cannot be changed now, so that the job's next run may change them. */
export const isBlocked = (error: unknown): boolean =>
  isTableInUse(error) || refusedCodes.includes((error as { code?: string }).code ?? '');
