import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Figure, LatencyFigure, Spread } from './contest.ts';
import { reportsDirectory } from './reports-directory.ts';

/** What `--only` names. */
export type Measured = 'deliveries' | 'checkouts' | 'transfers' | 'pages';

interface Figures {
  rates: Figure[];
  latencies: LatencyFigure[];
}

interface Circumstances {
  settings: Record<'rounds' | Measured, number>;
  database: Client;
}

/** Prints the figures as Markdown and saves them, every round of them, as JSON. */
export async function report({ rates, latencies }: Figures, { settings, database }: Circumstances): Promise<void> {
  const { rows } = await database.query('show server_version');
  const versions = { node: process.versions.node, postgres: String(rows[0].server_version) };
  const machine = {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    loadAverage: loadavg(),
  };
  const file = join(reportsDirectory, 'bench.json');
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, versions, settings, figures: rates, latencies }, null, 2)}\n`);
  if (rates.length > 0) console.log(rateTable(rates));
  if (latencies.length > 0) console.log(latencyTable(latencies));
  console.log(`\n${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}`);
  console.log(
    `Node ${versions.node}, Postgres ${versions.postgres}. Median of ${settings.rounds} rounds (least–most).`,
  );
  console.log(`CPU is per unit of work. Every round: ${file}`);
}

function rateTable(figures: Figure[]): string {
  const lines = figures.map(({ name, against, target, ...measured }) => [
    shown(measured.ratio, 2),
    target === undefined ? '' : `≥ ${target.toFixed(2)}`,
    name,
    shown(measured.tillhookPerSecond, 0),
    against,
    shown(measured.baselinePerSecond, 0),
    Object.entries(measured.tillhookCpuMicros)
      .map(([part, micros]) => `${part} ${micros.toFixed(0)}`)
      .join(', '),
  ]);
  const head = ['ratio', 'target', 'figure', 'Tillhook /s', 'against', 'its /s', 'CPU of Tillhook, µs'];
  return table(head, lines);
}

function latencyTable(figures: LatencyFigure[]): string {
  const lines = figures.map(({ name, against, ratio, tillhookMs, baselineMs }) => [
    shown(ratio, 1),
    name,
    shown(tillhookMs, 2),
    against,
    shown(baselineMs, 2),
  ]);
  return table(['times as long', 'figure', 'p50, ms', 'against', 'its p50, ms'], lines);
}

function table(head: string[], lines: string[][]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown({ median, min, max }: Spread, digits: number): string {
  const [middle, least, most] = [median, min, max].map((value) => value.toFixed(digits));
  return `${middle} (${least}–${most})`;
}
