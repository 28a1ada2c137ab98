import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release } from 'node:os';
import { join } from 'node:path';
import {
  type ChaosFigures,
  type ChaosReport,
  type ChaosRun,
  publishedChaosFile,
  readPublishedChaos,
  type ScenarioNotRun,
} from '@tillhook/docs/figures/chaos.ts';
import { reportsDirectory } from '../support/reports-directory.ts';
import { readRevision } from '../support/revision.ts';
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

export interface Played {
  name: string;
  ending: Ending;
}

export function report(played: readonly Played[], settings: Record<string, number>): void {
  const endings = played.map(({ ending }) => ending);
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

/** The published file keeps the earlier result of a scenario that this run left out. */
export function publish(played: readonly Played[], settings: Record<string, number>, order: readonly string[]): void {
  const measuredAt = new Date().toISOString();
  const revision = readRevision();
  const circumstances = { measuredAt, ...(revision && { revision }), machine: describeMachine(), settings };
  const fresh = played.map(({ name, ending }) => ({ name, ...circumstances, ...figuresOf(ending) }));
  const runs = replaceRuns(readPublishedChaos().runs, fresh, order);
  writeFileSync(publishedChaosFile, `${JSON.stringify({ runs } satisfies ChaosReport, null, 2)}\n`);
}

export function replaceRuns(
  earlier: readonly ChaosRun[],
  fresh: readonly ChaosRun[],
  order: readonly string[],
): ChaosRun[] {
  const of = (runs: readonly ChaosRun[], name: string) => runs.filter((run) => run.name === name);
  return order.flatMap((name) => (of(fresh, name).length > 0 ? of(fresh, name) : of(earlier, name)));
}

function figuresOf(ending: Ending): ChaosFigures | ScenarioNotRun {
  if ('notRun' in ending) return ending;
  const { scenario, expected, received, lost, duplicated, duplicates, unlogged, recoveredSeconds, notes } = ending;
  const broken = [...brokenPromises(ending), ...slowRecovery(ending)];
  return {
    ...{ scenario, expected, received, lost, duplicated, maxDuplicated: duplicates.max },
    ...{ unlogged, recoveredSeconds, notes, broken },
  };
}

function describeMachine(): ChaosRun['machine'] {
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
  const bound = `${duplicates.max}: ${duplicates.because}`;
  return [scenario, expected, received, lost, twice, bound, unlogged, recoveredSeconds?.toFixed(1) ?? '–'];
}
