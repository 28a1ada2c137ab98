import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type BenchReport,
  cpuText,
  type Figure,
  isReached,
  judgedText,
  publishedFile,
  ratioText,
  targetText,
  valueText,
} from '@tillhook/docs/figures/bench-figures.ts';
import type { Client } from 'pg';
import { reportsDirectory } from '../support/reports-directory.ts';
import { readRevision } from '../support/revision.ts';
import type { Measured } from './contest.ts';

interface FullReport extends BenchReport {
  figures: Measured[];
}

/** Describes the commit, the machine and the versions. Must run first, because the measurements load the machine. */
export async function describeCircumstances(
  database: Client,
): Promise<Pick<BenchReport, 'revision' | 'machine' | 'versions'>> {
  const { rows } = await database.query('show server_version');
  const revision = readRevision();
  return {
    ...(revision && { revision }),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()} ${arch()}`,
      loadBefore: loadavg()[0] ?? 0,
    },
    versions: {
      Node: process.versions.node,
      Postgres: String(rows[0].server_version).split(' ')[0] ?? '',
      ...Object.fromEntries(compared.map((name) => [name, versionOf(name)])),
    },
  };
}

const compared = ['undici', 'graphile-worker', 'pg-boss', 'agenda', 'express'];

/** Reads `package.json` by its path, because some packages do not export `package.json`. */
function versionOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return JSON.parse(readFileSync(join(path, name, 'package.json'), 'utf8')).version;
    } catch {
      // This folder does not contain the package.
    }
  }
  return 'unknown';
}

export function save(measured: FullReport): void {
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(join(reportsDirectory, 'bench.json'), `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(join(reportsDirectory, 'bench.md'), markdownOf(measured));
}

export function publish(measured: FullReport): void {
  const figures: Figure[] = measured.figures.map(({ rounds: _, ...figure }) => figure);
  mkdirSync(dirname(publishedFile), { recursive: true });
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  writeFileSync(publishedFile, `${JSON.stringify({ ...measured, figures }, rounded, 2)}\n`);
  console.log(`Published: ${publishedFile}`);
}

export function markdownOf({ revision, machine, versions, settings, figures, measuredAt }: FullReport): string {
  const lines = figures.map((figure) => [
    ratioText(figure),
    targetText(figure),
    verdict(figure),
    figure.name,
    valueText(figure.tillhook, figure.unit),
    figure.against ?? '',
    valueText(figure.baseline, figure.unit),
    cpuText(figure.cpuMicros?.tillhook),
    cpuText(figure.cpuMicros?.baseline),
  ]);
  const head = ['ratio', 'target', 'reached', 'figure', 'Tillhook', 'against', 'it', 'our CPU, µs', 'its CPU, µs'];
  const given = Object.entries(settings).map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${table(head, lines)}

${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}; load before ${machine.loadBefore.toFixed(2)}.
${used.join(', ')}. Median of the rounds (least–most); CPU is per unit of work. The log has its usual level, info, and goes to a file.
${given.join(', ')}. ${measuredAt}. Commit: ${revision ?? 'unknown'}.
`;
}

export function missedTargets({ figures }: FullReport): string[] {
  return figures
    .filter((figure) => isReached(figure) === false)
    .map((figure) => `Missed: ${figure.name}: ${judgedText(figure)}, must be ${targetText(figure)}`);
}

function verdict(figure: Figure): string {
  const isMet = isReached(figure);
  if (isMet === undefined) return '';
  return isMet ? 'yes' : 'no';
}

function table(head: string[], lines: string[][]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
