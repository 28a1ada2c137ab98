/**
 * Postgres parses and plans a statement with a name only once. After a migration adds a column, a named `select *` from
 * a table fails, so only statements that list their columns get a name. Some poolers, such as PgBouncer before 1.21,
 * lose prepared statements. After such a loss, no further statement gets a name.
 * See docs/decisions/database.md, "A prepared statement is named by a hash of its text".
 */
import { createHash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import type { Logger } from '../../../kit/logger.ts';
import { inOwnTime } from '../../../kit/time-limits.ts';
import { isPreparedStatementMissing, readTimeout } from './outage.ts';

export interface StatementNaming {
  keepsStatements: boolean;
  log: Logger | undefined;
}

const maxNames = 100;
/** A `*` over `json_to_recordset` is allowed, because the statement itself lists the columns of the record set. */
const starOverTable = /(select|returning)\s+\*(?!\s+from\s+json_to_recordset)|\.\*/i;

/**
 * Stands in a statement whose best plan depends on its values, such as the pattern of a search. After five executions of
 * a statement with a name, Postgres may use one plan for all values.
 */
export const plannedEachTime = '/* planned each time */';

type Query = (statement: unknown, values?: unknown, callback?: Callback) => Promise<unknown> | undefined;
type Callback = (error: unknown, result?: unknown) => void;

/** Postgres keeps the first 63 characters of a name. A whole SHA-256 in base64url fits. */
export function statementName(text: string): string {
  return `tillhook_${createHash('sha256').update(text).digest('base64url')}`;
}

interface StatementOptions {
  answerMs: number;
  onFailure(error: unknown): void;
}

export function nameStatements(
  client: Client,
  naming: StatementNaming,
  { answerMs, onFailure }: StatementOptions,
): void {
  const names = new Map<string, string>();
  const target = client as unknown as { query: Query };
  const send = target.query.bind(client) as (config: QueryConfig) => Promise<unknown>;
  // A cursor has no text to hash, and returns no promise.
  const sendCursor = target.query.bind(client);

  function nameOf({ text, values }: QueryConfig): string | undefined {
    if (!naming.keepsStatements || !values?.length) return undefined;
    const known = names.get(text);
    if (known || names.size >= maxNames || starOverTable.test(text) || text.includes(plannedEachTime)) return known;
    const name = statementName(text);
    names.set(text, name);
    return name;
  }

  async function sendNamed(config: QueryConfig): Promise<unknown> {
    // Inside a transaction, a missing prepared statement aborts the transaction, and `inTransaction` runs the
    // transaction again.
    const isInTransaction = client.getTransactionStatus() === 'T';
    config.name = nameOf(config);
    try {
      return await inOwnTime(answerMs, send(config), () => new Error(readTimeout));
    } catch (error) {
      onFailure(error);
      if (!config.name || !isPreparedStatementMissing(error)) throw error;
      stopNaming(naming, error);
      if (isInTransaction) throw error;
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

function configOf(statement: unknown, values: unknown): QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : (statement as QueryConfig);
  return { ...config, ...(Array.isArray(values) && { values }) };
}

function stopNaming(naming: StatementNaming, error: unknown): void {
  if (!naming.keepsStatements) return;
  naming.keepsStatements = false;
  naming.log?.warn(
    { err: error },
    'Postgres or its pooler lost a prepared statement, so from now on each statement is planned every time',
  );
}
