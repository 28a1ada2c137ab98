/**
 * If the partition of a row's day is missing, the row goes to `…_other`, so that no event is refused.
 * See docs/decisions/database.md, "Old rows are found by the time in their ids".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../../../context.ts';
import { dayMs } from '../../../kit/hours.ts';
import { firstIdAt } from '../../../kit/ids.ts';
import { rowsOf, rowsOutsideTransaction, run, type StatementContext } from '../statement.ts';
import { inTransaction } from '../transaction.ts';
import { giveWay, giveWayPauseMs, isTableInUse } from './give-way.ts';

export const dailyTables = { event: 'id', delivery_attempt: 'delivery_id' } as const;

export type DailyTable = keyof typeof dailyTables;

export interface Partition {
  name: string;
  /** `from` is inclusive, and null for the partition of all rows before the first day. `to` is exclusive. */
  from: string | null;
  to: string;
}

export const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);

export const addDays = (day: Date, days: number): Date => new Date(day.getTime() + days * dayMs);

/** Reads the clock of the database, because a host whose clock is a month ahead would remove a month of data. */
export async function databaseTime(context: Context): Promise<Date> {
  const [row] = await rowsOutsideTransaction<{ now: string }>(context)`select now()::text as now`;
  return new Date(row?.now ?? Number.NaN);
}

export function listPartitions(context: StatementContext, table: DailyTable): Promise<Partition[]> {
  return rowsOf<Partition>(context)`
    select relname as name, substring(bound from 'FROM \\(''([^'']+)') as "from", substring(bound from 'TO \\(''([^'']+)') as "to"
    from pg_inherits join pg_class on pg_class.oid = inhrelid cross join pg_get_expr(relpartbound, inhrelid) as bound
    where inhparent = ${table}::regclass and bound <> 'DEFAULT' order by 3`;
}

export function createDaySql(table: DailyTable, day: Date): string {
  return `create table ${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')} partition of ${table}
    for values from ('${firstIdAt(day)}') to ('${firstIdAt(addDays(day, 1))}')`;
}

const tries = 5;

/** While another transaction uses the table, the work is retried after a pause. */
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

export async function changePartitions(context: StatementContext, statement: string): Promise<void> {
  await run(context)`${sql.raw(giveWay)}`;
  await run(context)`${sql.raw(statement)}`;
}

/** SQLSTATE: the partition already exists, or `…_other` has rows of the partition. */
const refusedCodes = ['42P07', '23514'];

export const isBlocked = (error: unknown): boolean =>
  isTableInUse(error) || refusedCodes.includes((error as { code?: string }).code ?? '');
