/** A step of a query plan that was never executed does not count. */
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

export const planSettings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  // With `log_timing`, Postgres would read the clock for each row, which would take longer than the statements.
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  log_temp_files: '0',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'plans',
  log_filename: 'plans.log',
  log_rotation_age: '0',
  log_rotation_size: '0',
};

/** `plans.log` has only the lines that Postgres writes before it opens the JSON log. */
export const planFile = 'plans/plans.json';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

export interface Findings {
  statements: number;
  maxMs: number;
  rowsRead: number;
  partitions: number;
  tempFiles: number;
  tempMiB: number;
  faults: string[];
}

export interface PlanLog {
  during(work: () => Promise<unknown>): Promise<Findings & { ms: number }>;
}

/** Called after the job that closes hours, because that job would log a foreign-key check of each row. */
export async function logNestedStatements(database: Client): Promise<void> {
  await database.query(`
    do $$ begin
      execute format('alter database %I set auto_explain.log_nested_statements = on', current_database());
    end $$`);
}

export async function openPlanLog(database: Client, path: string, fewest: number): Promise<PlanLog> {
  await database.query('set auto_explain.log_min_duration = -1');
  const longTables = new Set(await listLongTables(database, fewest));
  let marks = 0;

  /** Postgres writes its log in the background. When the log contains the mark, it also contains all earlier lines. */
  async function readUntilMark(from: number): Promise<string[]> {
    const mark = `history mark ${++marks}`;
    await database.query(`do $$ begin raise log '${mark}'; end $$`);
    for (;;) {
      const lines: string[] = [];
      for await (const line of createInterface({ input: createReadStream(path, { start: from }) })) {
        if (line.includes(`"message":"${mark}"`)) return lines;
        lines.push(line);
      }
      await sleep(20);
    }
  }

  return {
    async during(work) {
      const from = statSync(path).size;
      const startedAt = performance.now();
      await work();
      const ms = performance.now() - startedAt;
      return { ...findingsIn(await readUntilMark(from), longTables), ms };
    },
  };
}

async function listLongTables(database: Client, fewest: number): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1`,
    [fewest],
  );
  return rows.map(({ name }) => name);
}

function findingsIn(lines: readonly string[], longTables: ReadonlySet<string>): Findings {
  const found = { statements: 0, maxMs: 0, rowsRead: 0, partitions: 0, tempFiles: 0, tempMiB: 0 };
  const scans = new Set<string>();
  for (const line of lines) {
    const { message = '' } = JSON.parse(line) as { message?: string };
    const temp = /^temporary file: .* size (\d+)/.exec(message);
    if (temp) {
      found.tempFiles += 1;
      found.tempMiB += Number(temp[1]) / 2 ** 20;
    }
    const planned = /^duration: ([\d.]+) ms {2}plan:\n(.*)/s.exec(message);
    if (!planned) continue;
    const { 'Query Text': text, Plan: plan } = JSON.parse(planned[2] ?? '') as { 'Query Text': string; Plan: Node };
    const nodes = executedIn(plan);
    found.statements += 1;
    found.maxMs = Math.max(found.maxMs, Number(planned[1]));
    found.rowsRead = Math.max(
      found.rowsRead,
      nodes.reduce((rows, node) => rows + rowsReadBy(node), 0),
    );
    found.partitions = Math.max(found.partitions, partitionsIn(nodes));
    for (const table of readWhole(nodes, text))
      if (longTables.has(table)) scans.add(`reads all of ${table}: ${shortened(text)}`);
  }
  return { ...found, faults: [...scans] };
}

function readWhole(nodes: readonly Node[], text: string): string[] {
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan') && !mayReadAll(node, text));
  return scans.flatMap((node) => node['Relation Name'] ?? []);
}

/**
 * Choice: a list without counts by the hour counts all records of a merchant. If the merchant owns most rows of the
 * table, no index is faster. The audit log has so few entries that its filters have no index.
 */
function mayReadAll(node: Node, text: string): boolean {
  if (node['Relation Name'] === 'audit_entry') return true;
  return /^select count\(\*\)/.test(text) && node['Actual Rows'] >= (node['Rows Removed by Filter'] ?? 0);
}

function executedIn(node: Node): Node[] {
  return node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(executedIn)];
}

function rowsReadBy(node: Node): number {
  if (!node['Relation Name']) return 0;
  const excluded = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + excluded) * node['Actual Loops'];
}

function partitionsIn(nodes: readonly Node[]): number {
  const names = nodes.flatMap((node) => node['Relation Name'] ?? []);
  return new Set(names.filter((name) => /^(event|delivery_attempt)_(\d{8}|before|other)$/.test(name))).size;
}

const shortened = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
