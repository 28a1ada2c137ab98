/**
 * Lets Postgres keep the plans of statements that come again and again: each gets a name on its connection, after which it
 * is neither parsed nor planned anew. Only statements that list their columns are named, because one with a star over a table
 * fails for as long as its connection lives when a migration adds a column; and only so many for each connection.
 *
 * The name is a hash of the text. Behind a pooler a connection of Postgres also has statements that other clients prepared, and
 * this way the same name is always the same statement, whichever process or version prepared it. A pooler that lends a
 * connection for each transaction and does not track names, such as PgBouncer before 1.21 or with `max_prepared_statements` 0,
 * may lend one that lacks our statement, or has it already. Postgres refuses the statement before it does anything, and from
 * then on no statement is named.
 * See docs/decisions/database.md, "A prepared statement is named by a hash of its text".
 */
import { createHash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import type { Logger } from '../kit/logger.ts';
import { isStatementLost } from './outage.ts';

/** Shared by all connections to one address. */
export interface StatementNaming {
  /** False once the server, or what stands before it, was found to forget statements. */
  keepsStatements: boolean;
  log: Logger | undefined;
}

const mostNamed = 100;
/** The columns of a record set stand in the statement itself. */
const starOverTable = /(select|returning)\s+\*(?!\s+from\s+json_to_recordset)|\.\*/i;

/** A client's `query` in the forms in which it is called here. */
type Query = (statement: unknown, values?: unknown, answered?: Answered) => Promise<unknown> | undefined;
type Answered = (error: unknown, result?: unknown) => void;

/** The whole SHA-256 in 52 characters; Postgres keeps the first 63 of a name. So no two texts share one. */
export function statementName(text: string): string {
  return `tillhook_${createHash('sha256').update(text).digest('base64url')}`;
}

/** Names the statements of a client that is not in use yet, and reports each that fails. */
export function nameStatements(client: Client, naming: StatementNaming, onFailure: (error: unknown) => void): void {
  const names = new Map<string, string>();
  const target = client as unknown as { query: Query };
  const send = target.query.bind(client) as (config: QueryConfig) => Promise<unknown>;
  // A cursor is an object that reads in steps: it has no text to name and returns no promise.
  const sendCursor = target.query.bind(client);

  function nameOf({ text, values }: QueryConfig): string | undefined {
    if (!naming.keepsStatements || !values?.length || starOverTable.test(text)) return undefined;
    const name = names.get(text) ?? (names.size < mostNamed ? statementName(text) : undefined);
    if (name) names.set(text, name);
    return name;
  }

  async function ask(config: QueryConfig): Promise<unknown> {
    // Such a failure aborts the transaction that it happens in, and `database/transaction.ts` runs that again.
    const isInTransaction = client.getTransactionStatus() === 'T';
    config.name = nameOf(config);
    try {
      return await send(config);
    } catch (error) {
      onFailure(error);
      if (!config.name || !isStatementLost(error)) throw error;
      stopNaming(naming, error);
      if (isInTransaction) throw error;
      // Without a name this time, because nothing is named any more.
      return ask(config);
    }
  }

  target.query = (statement, values, answered) => {
    if (typeof (statement as { submit?: unknown }).submit === 'function')
      return sendCursor(statement, values, answered);
    const answer = ask(configOf(statement, values));
    const listener = typeof values === 'function' ? (values as Answered) : answered;
    if (!listener) return answer;
    answer.then((result) => listener(null, result), listener);
    return undefined;
  };
}

/** The name that a library gave is left out later, because it is no hash of the text. */
function configOf(statement: unknown, values: unknown): QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : (statement as QueryConfig);
  return { ...config, ...(Array.isArray(values) && { values }) };
}

function stopNaming(naming: StatementNaming, error: unknown): void {
  if (!naming.keepsStatements) return;
  naming.keepsStatements = false;
  naming.log?.warn({ err: error }, 'the server forgets prepared statements, so each is planned anew from now on');
}
