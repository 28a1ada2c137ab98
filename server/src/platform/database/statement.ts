/**
 * Runs SQL that is written by hand. `rowsOf<Row>(tx)` and `run(tx)` are template tags like Kysely's `sql`, and run the
 * statement in the transaction of the context.
 */
import type { EntityClass, FilterQuery } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { CoreContext, WriteContext, Writer } from '../../context.ts';

type Connected = Pick<Writer, 'getKysely'>;

/** The context that a single statement needs. The context of a transaction also fits. */
export interface StatementContext extends CoreContext {
  readonly em: CoreContext['em'] & Connected;
}

type Run<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Runs a statement and returns its rows. */
export function rowsOf<Row>({ em }: { em: Connected }): Run<Row[]> {
  return async (...statement) => (await sql<Row>(...statement).execute(em.getKysely())).rows;
}

/** Runs a statement and returns how many rows were inserted, updated or deleted. */
export function run({ em }: { em: Connected }): Run<number> {
  return async (...statement) => Number((await sql(...statement).execute(em.getKysely())).numAffectedRows ?? 0n);
}

/** Runs a statement outside any transaction, as `inOwnStatement` does, and returns its rows. */
export function rowsOutsideTransaction<Row>(context: CoreContext): Run<Row[]> {
  return (...statement) => inOwnStatement(context, (own) => rowsOf<Row>(own)(...statement));
}

/**
 * Runs one statement outside any transaction that the context belongs to. Postgres runs a single statement as a
 * transaction by itself, which saves the round trips of `begin` and `commit`. The work must be one statement only: a
 * second statement would be saved separately.
 */
export function inOwnStatement<Result>(
  context: CoreContext,
  work: (context: StatementContext) => Promise<Result>,
): Promise<Result> {
  const { em } = context;
  // In a transaction a new entity manager is needed, so that the statement is not rolled back with the transaction.
  // Outside a transaction, a new entity manager would cost more than all other work of this process for the statement.
  return work({ ...context, em: em.isInTransaction() ? em.fork() : (em as Writer) });
}

/**
 * Returns the columns of an entity, for a statement whose rows become entities through `em.map`.
 * See docs/decisions/checkout-page.md, "The page reads its payment and merchant in one statement by hand".
 */
export function columnsOf({ em }: CoreContext, entity: EntityClass<object>, table: string): RawBuilder<unknown> {
  const columns = em.getMetadata(entity).props.flatMap(({ fieldNames = [] }) => fieldNames);
  return sql.raw(columns.map((column) => `${table}.${column}`).join(', '));
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

/**
 * Changes many rows of one transaction in several statements, because a single statement could exceed its time limit.
 * Returns the number of changed rows.
 */
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
