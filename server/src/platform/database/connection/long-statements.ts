/** Connections for work that reads large tables, and whose statements may take hours. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Writer } from '../../../context.ts';
import { cutOff, type DatabaseAccess, longStatementMs } from './connections.ts';

/**
 * Opens a connection, does the work on it, and closes it. If the signal aborts, the connection is closed at once: the
 * running statement fails, and Postgres also ends it.
 */
export type WithLongStatements = <Result>(
  work: (em: Pick<Writer, 'getKysely'>) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/**
 * Makes Postgres check at this interval whether the client of a running statement is still connected. Otherwise the
 * statement of a process that has died runs to its end. Postgres has this setting only on some systems. A pooler keeps
 * the connection with this setting for its other clients, where the setting does no harm, and may run the work on
 * another connection. So behind a pooler, this needs DATABASE_DIRECT_URL.
 */
const noticeClosing = "set client_connection_check_interval = '500ms'";

export function longStatementsOn(database: DatabaseAccess): WithLongStatements {
  return async (work, signal) => {
    const pool = database.withLimits({ statementMs: longStatementMs }).openPool(1);
    // The loss of a connection is reported by the statement that runs on it, so this listener ignores it.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.query(noticeClosing).catch(() => {});
      // The signal may have aborted while the connection was being opened.
      if (signal?.aborted) cutOff(client);
      signal?.addEventListener('abort', () => cutOff(client), { once: true });
    });
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    try {
      signal?.throwIfAborted();
      return await work({ getKysely: () => kysely as never });
    } finally {
      await kysely.destroy();
    }
  };
}
