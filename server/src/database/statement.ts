/**
 * How SQL that is written by hand is run. `rowsOf<Row>(tx)` and `run(tx)` stand where Kysely's `sql` would stand, before the
 * statement, and run it in the transaction that the context is in.
 */
import { sql } from 'kysely';
import type { CoreContext, Writer } from '../context.ts';

type Connected = Pick<Writer, 'getKysely'>;

/** What one statement needs. A transaction's context will do as well. */
export interface StatementContext extends CoreContext {
  readonly em: CoreContext['em'] & Connected;
}

type Run<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Returns the rows. */
export function rowsOf<Row>({ em }: { em: Connected }): Run<Row[]> {
  return async (...statement) => (await sql<Row>(...statement).execute(em.getKysely())).rows;
}

/** Returns how many rows were inserted, updated or deleted. */
export function run({ em }: { em: Connected }): Run<number> {
  return async (...statement) => Number((await sql(...statement).execute(em.getKysely())).numAffectedRows ?? 0n);
}

/** Returns the rows of a statement that runs as `inOwnStatement` has it. */
export function rowsOutsideTransaction<Row>(context: CoreContext): Run<Row[]> {
  return (...statement) => inOwnStatement(context, (own) => rowsOf<Row>(own)(...statement));
}

/**
 * Runs one statement beside any transaction that the same context is in the middle of. Postgres makes it a transaction of its
 * own, which spares the round trips that begin and commit one. The work must not be more than that statement: a second one
 * would be saved apart from the first.
 */
export function inOwnStatement<Result>(
  context: CoreContext,
  work: (context: StatementContext) => Promise<Result>,
): Promise<Result> {
  return work({ ...context, em: context.em.fork() });
}
