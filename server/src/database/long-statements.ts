/** A connection for work that reads large tables, whose statements may take hours. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Writer } from '../context.ts';
import { type DatabaseAccess, longStatementMs } from './connections.ts';

/** Opens a connection, does the work on it, and closes it. */
export type WithLongStatements = <Result>(work: (em: Pick<Writer, 'getKysely'>) => Promise<Result>) => Promise<Result>;

export function longStatementsOn(database: DatabaseAccess): WithLongStatements {
  return async (work) => {
    const pool = database.withLimits({ statementMs: longStatementMs }).openPool(1);
    // The statement that runs on a lost connection reports the loss.
    pool.on('error', () => {});
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    try {
      return await work({ getKysely: () => kysely as never });
    } finally {
      await kysely.destroy();
    }
  };
}
