import type { Database } from '../support/database/database.ts';
import type { Statement } from './noted-statements.ts';

type Queryable = Pick<Database, 'query'>;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

export interface Limits {
  longTables: readonly string[];
  maxRead: number;
  /**
   * The maximum number of rows that Postgres may expect to sort; omitted if Postgres sorts only the rows that it has
   * read.
   */
  maxSorted?: number;
  mayReadAll: boolean;
}

function faultsIn(node: Node, limits: Limits): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Plan Rows': planned } = node;
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return [
    ...(type.endsWith('Seq Scan') && limits.longTables.includes(table) ? [`reads all of ${table}`] : []),
    ...(type === 'Sort' && planned > (limits.maxSorted ?? Number.POSITIVE_INFINITY) ? [`sorts ${planned} rows`] : []),
    ...(table && read > limits.maxRead && !limits.mayReadAll ? [`reads ${read} rows of ${table}`] : []),
    ...(node.Plans ?? []).flatMap((part) => faultsIn(part, limits)),
  ];
}

function tablesIn(node: Node): string[] {
  const { 'Relation Name': table, 'Actual Loops': loops, Plans: parts = [] } = node;
  return [...(table && loops > 0 ? [table] : []), ...parts.flatMap(tablesIn)];
}

/** Events of the last day are in a separate table. */
export async function listLongTables({ query }: Queryable): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 2000`,
  );
  return tables.map(({ name }) => name);
}

export async function faultsOf(database: Queryable, statement: Statement, limits: Limits): Promise<string[]> {
  return (await examine(database, statement, limits)).faults;
}

export async function examine({ query }: Queryable, { text, values }: Statement, limits: Limits) {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  );
  if (!row) throw new Error('Postgres returned no plan for the statement.');
  const { Plan: plan } = row['QUERY PLAN'][0];
  return { faults: faultsIn(plan, limits).map((fault) => `${fault}: ${text}`), tables: tablesIn(plan) };
}
