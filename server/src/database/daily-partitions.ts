/**
 * Events and attempts lie in a partition for each day, by the time in a UUID v7, so that a day is forgotten by dropping it.
 * Partitions are made ahead of time. What none takes, because a clock was wrong or nobody made one, goes to `…_other`: an
 * event is never refused for it.
 * See docs/decisions/database.md, "Old rows are found by the time in their ids".
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { firstIdAt } from '../kit/ids.ts';
import { giveWay } from './give-way.ts';
import { rowsOf, rowsOutsideTransaction, run, type StatementContext } from './statement.ts';

/** Which tables, and the id whose time says which day a row is of. */
export const dailyTables = { event: 'id', delivery_attempt: 'delivery_id' } as const;

export type DailyTable = keyof typeof dailyTables;

export interface Partition {
  name: string;
  /** The first id of its own and the first that is not. What lay there before there were partitions has no first. */
  from: string | null;
  to: string;
}

const dayMs = 86_400_000;

/** The start of a moment's day, in UTC. */
export const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);

export const later = (day: Date, days: number): Date => new Date(day.getTime() + days * dayMs);

/** By the database's clock: a host that is a month ahead would forget a month. */
export async function databaseTime(context: Context): Promise<Date> {
  const [row] = await rowsOutsideTransaction<{ now: string }>(context)`select now()::text as now`;
  return new Date(row?.now ?? Number.NaN);
}

/** All but `…_other`, the oldest first. */
export function listPartitions(context: StatementContext, table: DailyTable): Promise<Partition[]> {
  return rowsOf<Partition>(context)`
    select relname as name, substring(bound from 'FROM \\(''([^'']+)') as "from", substring(bound from 'TO \\(''([^'']+)') as "to"
    from pg_inherits join pg_class on pg_class.oid = inhrelid cross join pg_get_expr(relpartbound, inhrelid) as bound
    where inhparent = ${table}::regclass and bound <> 'DEFAULT' order by 3`;
}

/** The statement that makes the partition of a day, such as `event_20261121`. */
export function createDay(table: DailyTable, day: Date): string {
  return `create table ${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')} partition of ${table}
    for values from ('${firstIdAt(day)}') to ('${firstIdAt(later(day, 1))}')`;
}

/** Runs the one statement, unless somebody is in the way. Then it fails, and is left to the next time. */
export async function changePartitions(context: StatementContext, statement: string): Promise<void> {
  await run(context)`${sql.raw(giveWay)}`;
  await run(context)`${sql.raw(statement)}`;
}

/** Lock not available, deadlock; the table is there already; rows of it are elsewhere. Whatever it is, it is not for now. */
const ofOthers = ['55P03', '40P01', '42P07', '23514'];

export const isInTheWay = (error: unknown): boolean => ofOthers.includes((error as { code?: string }).code ?? '');
