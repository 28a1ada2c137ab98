import type { CoreContext, Writer } from '../context.ts';

/** What one statement needs. A transaction's context will do as well. */
export interface StatementContext extends CoreContext {
  readonly em: CoreContext['em'] & Pick<Writer, 'getKysely'>;
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
