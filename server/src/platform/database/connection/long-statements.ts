import { Kysely, PostgresDialect } from 'kysely';
import type { Writer } from '../../../context.ts';
import { cutOff, type DatabaseAccess, longStatementMs } from './connections.ts';

/** If the signal aborts, the connection is closed at once, and Postgres ends the running statement. */
export type WithLongStatements = <Result>(
  work: (em: Pick<Writer, 'getKysely'>) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/**
 * With this setting, Postgres ends a running statement soon after its client has died. Only some systems have the
 * setting. Behind a pooler, it needs DATABASE_DIRECT_URL.
 */
const noticeClosing = "set client_connection_check_interval = '500ms'";

export function longStatementsOn(database: DatabaseAccess): WithLongStatements {
  return async (work, signal) => {
    const pool = database.withLimits({ statementMs: longStatementMs }).openPool(1);
    // Ignored, because the statement on a lost connection fails and reports the loss.
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
