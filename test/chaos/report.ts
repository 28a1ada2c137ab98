import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release } from 'node:os';
import { join } from 'node:path';
import { type ChaosReport, publishedChaosFile } from '@tillhook/server/src/docs-portal/chaos-figures.ts';
import { reportsDirectory } from '../bench/reports-directory.ts';
import { brokenPromises, type Ending, slowRecovery } from './outcome.ts';

const head = [
  'scenario',
  'expected',
  'received',
  'lost',
  'duplicated',
  'bound on duplicates',
  'unlogged',
  'recovered in (s)',
];

/** Prints the table and the broken promises, and saves both as Markdown and as JSON. */
export function report(endings: readonly Ending[], settings: Record<string, number>): void {
  const machine = { ...describeMachine(), loadAverage: loadavg() };
  const notes = endings.flatMap((ending) =>
    'notRun' in ending ? [] : ending.notes.map((note) => `${ending.scenario}: ${note}`),
  );
  const broken = endings.flatMap((ending) =>
    [...brokenPromises(ending), ...slowRecovery(ending)].map((fault) => `BROKEN: ${ending.scenario}: ${fault}`),
  );
  const table = [head, head.map(() => '---'), ...endings.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');
  const lists = [notes, broken]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `- ${line}`).join('\n'));
  const circumstances = `${machine.cores} × ${machine.cpu}, ${machine.system}, Node ${machine.node}.`;
  const markdown = [table, ...lists, circumstances].join('\n\n');
  mkdirSync(reportsDirectory, { recursive: true });
  writeFileSync(join(reportsDirectory, 'chaos.md'), `${markdown}\n`);
  const json = JSON.stringify({ machine, settings, endings, broken }, null, 2);
  writeFileSync(join(reportsDirectory, 'chaos.json'), `${json}\n`);
  console.log(markdown);
}

/** Writes the file that the documentation shows. */
export function publish(endings: readonly Ending[], settings: Record<string, number>): void {
  const scenarios = endings.map((ending) => {
    if ('notRun' in ending) return ending;
    const { scenario, expected, received, lost, duplicated, duplicates, unlogged, recoveredSeconds } = ending;
    const broken = [...brokenPromises(ending), ...slowRecovery(ending)];
    return {
      ...{ scenario, expected, received, lost, duplicated, mostDuplicated: duplicates.most },
      ...{ unlogged, recoveredSeconds, broken },
    };
  });
  const published: ChaosReport = {
    measuredAt: new Date().toISOString(),
    machine: describeMachine(),
    settings,
    scenarios,
  };
  writeFileSync(publishedChaosFile, `${JSON.stringify(published, null, 2)}\n`);
}

function describeMachine(): ChaosReport['machine'] {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${release()}`,
    node: process.versions.node,
  };
}

function cells(ending: Ending): (string | number)[] {
  if ('notRun' in ending) return [ending.scenario, `not run: ${ending.notRun}`, ...head.slice(2).map(() => '')];
  const { scenario, expected, received, lost, duplicated, duplicates, unlogged, recoveredSeconds } = ending;
  const { retried } = ending;
  const twice = retried > 0 ? `${duplicated} (and ${retried} retried after a recorded failure)` : duplicated;
  const bound = `${duplicates.most}: ${duplicates.because}`;
  return [scenario, expected, received, lost, twice, bound, unlogged, recoveredSeconds?.toFixed(1) ?? '–'];
}
