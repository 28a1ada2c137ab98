/** `rowsOf<Row>(tx)` and `run(tx)` are template tags like Kysely's `sql`. */
import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { CoreContext, WriteContext, Writer } from '../../context.ts';
import { plannedEachTime } from './connection/prepared-statements.ts';

type Connected = Pick<Writer, 'getKysely'>;

export interface StatementContext extends CoreContext {
  readonly em: CoreContext['em'] & Connected;
}

type Run<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

export function rowsOf<Row>({ em }: { em: Connected }): Run<Row[]> {
  return async (...statement) => (await sql<Row>(...statement).execute(em.getKysely())).rows;
}

export function run({ em }: { em: Connected }): Run<number> {
  return async (...statement) => Number((await sql(...statement).execute(em.getKysely())).numAffectedRows ?? 0n);
}

export function rowsOutsideTransaction<Row>(context: CoreContext): Run<Row[]> {
  return (...statement) => inOwnStatement(context, (own) => rowsOf<Row>(own)(...statement));
}

/** Rows of a search. Its best plan depends on how often the text is found, so each search is planned for its own text. */
export function searchedRows<Row>(context: CoreContext): Run<Row[]> {
  return (text, ...values) => rowsOutsideTransaction<Row>(context)`${sql(text, ...values)} ${sql.raw(plannedEachTime)}`;
}

/**
 * Postgres runs a single statement as a transaction by itself, which saves the round trips of `begin` and `commit`. A
 * second statement in the same work would be saved separately.
 */
export function inOwnStatement<Result>(
  context: CoreContext,
  work: (context: StatementContext) => Promise<Result>,
): Promise<Result> {
  const { em } = context;
  // In a transaction, a new entity manager is needed, so that the statement is not rolled back with the transaction.
  return work({ ...context, em: em.isInTransaction() ? em.fork() : (em as Writer) });
}

// See docs/decisions/checkout-page.md, "The page reads its payment and merchant in one statement by hand".
export function columnsOf({ em }: CoreContext, entity: EntityClass<object>, table: string): RawBuilder<unknown> {
  const columns = em.getMetadata(entity).props.flatMap(({ fieldNames = [] }) => fieldNames);
  return sql.raw(columns.map((column) => `${table}.${column}`).join(', '));
}

/** With the limit as a parameter, Postgres would plan the statement on each call, and for a tenth of all rows. */
export function atMost(limit: number, offset: number): RawBuilder<unknown> {
  return sql`${sql.raw(`limit ${limit}`)} ${offset > 0 ? sql`offset ${offset}` : sql``}`;
}

/**
 * Claims the rows whose `next_check_at` is past, for the length of the lease: until then no other process claims them.
 */
export async function claimDue<Row extends { id: string }>(
  { em }: WriteContext,
  entity: EntityClass<Row>,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<Row[]> {
  const table = sql.table(em.getMetadata(entity).tableName);
  const rows = await rowsOf<{ id: string }>({ em })`
    with due as (
      select id from ${table} where next_check_at <= now()
      order by next_check_at limit ${limit} for update skip locked
    )
    update ${table} as claimed set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    from due where claimed.id = due.id
    returning claimed.id`;
  return em.find(entity, { id: { $in: rows.map(({ id }) => id) } } as object as FilterQuery<Row>);
}

const batchSize = 5000;

/** Changes rows in several statements, because a single statement could exceed its time limit. */
export async function changeInBatches(
  rows: readonly { id: string }[],
  change: (ids: string[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < rows.length; from += batchSize) {
    changed += await change(rows.slice(from, from + batchSize).map(({ id }) => id));
  }
  return changed;
}
