/**
 * Makes Postgres keep the plans of repeated statements: each statement gets a name on its connection, and is then
 * parsed and planned only once. Only statements that list their columns get a name: after a migration adds a column, a
 * named `select *` from a table fails until its connection ends. The number of names on each connection is limited.
 *
 * The name is a hash of the statement's text. Behind a pooler, a connection of Postgres may also have statements that
 * other clients prepared. With a hash, the same name always means the same statement, also between processes and
 * versions. Some poolers lend a connection for each transaction and do not track names, such as PgBouncer before 1.21
 * or with `max_prepared_statements` 0. They may lend a connection that lacks our statement, or that already has it.
 * Postgres then refuses the statement before it executes anything, and from then on no statement gets a name.
 * See docs/decisions/database.md, "A prepared statement is named by a hash of its text".
 */
import { createHash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import type { Logger } from '../../../kit/logger.ts';
import { inOwnTime } from '../../../kit/time-limits.ts';
import { isPreparedStatementMissing, readTimeout } from './outage.ts';

/** The state that all connections to one address share. */
export interface StatementNaming {
  /** False after the server, or a pooler before it, has lost a prepared statement. */
  keepsStatements: boolean;
  log: Logger | undefined;
}

const maxNames = 100;
/** A `*` over a record set is allowed, because the statement itself lists the columns of the record set. */
const starOverTable = /(select|returning)\s+\*(?!\s+from\s+json_to_recordset)|\.\*/i;

/** A client's `query` in the forms in which the ORM and our code call it. */
type Query = (statement: unknown, values?: unknown, callback?: Callback) => Promise<unknown> | undefined;
type Callback = (error: unknown, result?: unknown) => void;

/**
 * Returns the name: the whole SHA-256 in base64url. Postgres keeps the first 63 characters of a name, so no two texts
 * have the same name.
 */
export function statementName(text: string): string {
  return `tillhook_${createHash('sha256').update(text).digest('base64url')}`;
}

interface StatementOptions {
  /** The maximum time that a statement may stay without a response. */
  answerMs: number;
  /** Called for each statement that fails. */
  onFailure(error: unknown): void;
}

/** Names the statements of a client that is not in use yet. */
export function nameStatements(
  client: Client,
  naming: StatementNaming,
  { answerMs, onFailure }: StatementOptions,
): void {
  const names = new Map<string, string>();
  const target = client as unknown as { query: Query };
  const send = target.query.bind(client) as (config: QueryConfig) => Promise<unknown>;
  // A cursor is an object that reads rows in steps. It has no text to hash, and returns no promise.
  const sendCursor = target.query.bind(client);

  function nameOf({ text, values }: QueryConfig): string | undefined {
    if (!naming.keepsStatements || !values?.length) return undefined;
    const known = names.get(text);
    if (known || names.size >= maxNames || starOverTable.test(text)) return known;
    const name = statementName(text);
    names.set(text, name);
    return name;
  }

  async function sendNamed(config: QueryConfig): Promise<unknown> {
    // Inside a transaction, a missing prepared statement aborts the transaction, which
    // `platform/database/transaction.ts` runs again.
    const isInTransaction = client.getTransactionStatus() === 'T';
    config.name = nameOf(config);
    try {
      return await inOwnTime(answerMs, send(config), () => new Error(readTimeout));
    } catch (error) {
      onFailure(error);
      if (!config.name || !isPreparedStatementMissing(error)) throw error;
      stopNaming(naming, error);
      if (isInTransaction) throw error;
      // The retry has no name, because naming has stopped.
      return sendNamed(config);
    }
  }

  target.query = (statement, values, callback) => {
    if (typeof (statement as { submit?: unknown }).submit === 'function') {
      return sendCursor(Object.assign(statement as object, { query_timeout: answerMs }), values, callback);
    }
    const answer = sendNamed(configOf(statement, values));
    const listener = typeof values === 'function' ? (values as Callback) : callback;
    if (!listener) return answer;
    answer.then((result) => listener(null, result), listener);
    return undefined;
  };
}

/** `sendNamed` replaces a name that a library has set, because that name is not a hash of the text. */
function configOf(statement: unknown, values: unknown): QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : (statement as QueryConfig);
  return { ...config, ...(Array.isArray(values) && { values }) };
}

function stopNaming(naming: StatementNaming, error: unknown): void {
  if (!naming.keepsStatements) return;
  naming.keepsStatements = false;
  naming.log?.warn(
    { err: error },
    'The server lost a prepared statement, so from now on each statement is planned every time',
  );
}
