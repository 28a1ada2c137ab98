/**
 * Lets Postgres keep the plans of statements that come again and again: each gets a name on its connection, after which it
 * is neither parsed nor planned anew. Only statements that list their columns are named, because one with a star over a table
 * fails for as long as its connection lives when a migration adds a column; and only so many for each connection.
 */
import type { Pool } from 'pg';

const mostNamed = 100;
/** The columns of a record set stand in the statement itself. */
const starOverTable = /(select|returning)\s+\*(?!\s+from\s+json_to_recordset)|\.\*/i;

/** A client's `query` in the two forms in which it is called here. */
type Query = (statement: unknown, values?: unknown[], ...rest: unknown[]) => unknown;

export function prepareStatements(pool: Pool): void {
  pool.on('connect', (client) => {
    const names = new Map<string, string>();
    const nameOf = (text: string) => {
      const name = names.get(text) ?? (names.size < mostNamed ? `s${names.size + 1}` : undefined);
      if (name) names.set(text, name);
      return name;
    };
    const target = client as unknown as { query: Query };
    const query = target.query.bind(client);
    target.query = (statement, values, ...rest) => {
      const isSteady = typeof statement === 'string' && values?.length && !starOverTable.test(statement);
      const name = isSteady ? nameOf(statement) : undefined;
      return name ? query({ name, text: statement, values }, ...(rest as [])) : query(statement, values, ...rest);
    };
  });
}
