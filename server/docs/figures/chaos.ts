/** `npm run chaos -- --publish` writes the file that a page of the documentation shows. */
import { readFileSync } from 'node:fs';
import { markdownTable } from '../../src/kit/tables.ts';
import { shortRevision } from './bench-figures.ts';

export interface ChaosReport {
  /** The last published run of each scenario. */
  runs: ChaosRun[];
}

export type ChaosRun = Circumstances & (ChaosFigures | ScenarioNotRun);

interface Circumstances {
  name: string;
  measuredAt: string;
  revision?: string;
  machine: { cpu: string; cores: number; system: string; node: string };
  settings: Record<string, number>;
}

export interface ChaosFigures {
  scenario: string;
  /** The number of events that must arrive. */
  expected: number;
  received: number;
  lost: number;
  /** The number of repeated arrivals of the same attempt; at most `maxDuplicated` are allowed. */
  duplicated: number;
  maxDuplicated: number;
  /** The number of attempts that the receiver got and the service did not record. */
  unlogged: number;
  /** The time from the end of the fault until no delivery from before that end was pending; null without a fault. */
  recoveredSeconds: number | null;
  notes: string[];
  broken: string[];
}

export interface ScenarioNotRun {
  scenario: string;
  notRun: string;
}

export const publishedChaosFile = `${import.meta.dirname}/chaos.json`;

export function readPublishedChaos(): ChaosReport {
  return JSON.parse(readFileSync(publishedChaosFile, 'utf8'));
}

type Finished = Extract<ChaosRun, ChaosFigures>;

export function chaosText({ runs }: ChaosReport): string {
  const ran = runs.filter((run): run is Finished => !('notRun' in run));
  const notRun = runs.flatMap((run) => ('notRun' in run ? [`- ${run.scenario}: not run, because ${run.notRun}.`] : []));
  const broken = ran.flatMap(({ scenario, broken: promises }) =>
    promises.map((promise) => `- ${scenario}: ${promise}.`),
  );
  const notes = ran.filter((run) => run.notes.length > 0).map((run) => `- ${run.scenario}: ${run.notes.join('; ')}.`);
  return `## When parts fail

\`npm run chaos\` kills processes and stores, or makes them stop answering, while deliveries and payments are under way. Then it compares
what the receiver got with the answers that the producers of events got:

- An event whose commit was answered must arrive. If a commit got no answer and the database holds the event, it must arrive too.
- A delivery may be sent again after an attempt that is recorded as failed, and once for each kill that found it claimed, or for the backup
  in which it was pending.
- Each arrival must be recorded. No event may report a payment or refund that did not complete.

Each row is the last run of one scenario.

${markdownTable(['What happens', 'Expected', 'Lost', 'Sent twice (allowed)', 'Not recorded', 'Recovered', 'Day'], ran.map(row))}
${notRun.join('\n')}

${broken.length === 0 ? 'No promise was broken.' : `Broken promises:\n\n${broken.join('\n')}`}

${notes.length === 0 ? '' : `What else was seen:\n\n${notes.join('\n')}\n`}
Where and when the scenarios ran, with all sizes of the run. Each scenario uses those that concern it, and the first table says for how
long \`soak\` ran:

${circumstances(runs)}
`;
}

function row(run: Finished): string[] {
  const { scenario, expected, lost, duplicated, maxDuplicated, unlogged, recoveredSeconds } = run;
  return [
    `${scenario.slice(0, 1).toUpperCase()}${scenario.slice(1)}`,
    expected.toLocaleString('en'),
    `**${lost}**`,
    `${duplicated.toLocaleString('en')} (${maxDuplicated.toLocaleString('en')})`,
    String(unlogged),
    recoveredSeconds === null ? '' : `in ${recoveredSeconds.toFixed(1)} s`,
    run.measuredAt.slice(0, 10).replaceAll('-', nonBreakingHyphen),
  ];
}

const nonBreakingHyphen = '\u2011';

function circumstances(runs: readonly ChaosRun[]): string {
  const lines = Map.groupBy(runs, ({ machine, settings, revision, measuredAt }) => {
    const sizes = Object.entries(settings).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
    const commit = revision ? `, at commit \`${shortRevision(revision)}\`` : '';
    return `On ${measuredAt.slice(0, 10)}, on ${machine.cores} × ${machine.cpu}, ${machine.system}, Node ${machine.node}${commit}, with ${sizes.join(', ')}`;
  });
  const names = (of: readonly ChaosRun[]) => [...new Set(of.map(({ name }) => `\`${name}\``))].join(', ');
  return [...lines].map(([line, of]) => `- ${line}: ${names(of)}.`).join('\n');
}
