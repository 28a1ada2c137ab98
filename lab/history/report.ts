import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { describeCircumstances } from '../bench/report.ts';
import { reportsDirectory } from '../support/reports-directory.ts';
import type { Size } from './fill.ts';
import type { Measured } from './tasks.ts';

type Report = Awaited<ReturnType<typeof describeCircumstances>> & {
  size: Size;
  tables: { name: string; rows: number; mib: number }[];
  measured: readonly Measured[];
};

export async function describeHistory(database: Client): Promise<Omit<Report, 'size' | 'measured'>> {
  return { ...(await describeCircumstances(database)), tables: await tablesOf(database) };
}

export function saveReport(report: Report): void {
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(join(reportsDirectory, 'history.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(reportsDirectory, 'history.md'), markdownOf(report));
}

async function tablesOf(database: Client): Promise<Report['tables']> {
  const { rows } = await database.query(`
    select coalesce(parent.relname, part.relname) as name, sum(part.reltuples)::float8 as rows,
      round(sum(pg_total_relation_size(part.oid)) / 1048576)::float8 as mib
    from pg_class as part left join pg_inherits on inhrelid = part.oid left join pg_class as parent on parent.oid = inhparent
    where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace
    group by 1 having sum(part.reltuples) >= 10000 order by 2 desc`);
  return rows;
}

export function faultsOf(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ name, faults, grownMiB = 0, maxMiB = 0 }) => [
    ...faults.map((fault) => `${name} ${fault}`),
    ...(grownMiB > maxMiB ? [`${name} takes ${grownMiB.toFixed(0)} MiB, more than ${maxMiB} MiB`] : []),
  ]);
}

export function markdownOf({ revision, machine, versions, size, tables, measured }: Report): string {
  const head = [
    'task',
    'ms',
    'longest statement, ms',
    'statements',
    'rows read',
    'partitions',
    'temp MiB',
    'memory MiB',
    'faults',
  ];
  const lines = measured.map((task) => [
    `\`${task.name}\``,
    task.ms.toFixed(0),
    task.maxMs.toFixed(0),
    task.statements,
    task.rowsRead.toLocaleString('en'),
    task.partitions,
    task.tempFiles > 0 ? task.tempMiB.toFixed(1) : '',
    task.grownMiB?.toFixed(0) ?? '',
    task.faults.length || '',
  ]);
  return `${table(head, lines)}

Rows read and partitions are those of the statement that read most. Memory is how much the process grew.

${table(
  ['table', 'rows', 'MiB'],
  tables.map(({ name, rows, mib }) => [name, rows.toLocaleString('en'), mib.toLocaleString('en')]),
)}

${size.payments.toLocaleString('en')} payments and about ${size.deliveries.toLocaleString('en')} deliveries.
${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB. Node ${versions.Node}, Postgres ${versions.Postgres}. Commit: ${revision ?? 'unknown'}.
`;
}

function table(head: string[], lines: (string | number)[][]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
