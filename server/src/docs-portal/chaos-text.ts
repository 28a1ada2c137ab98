import type { ChaosFigures, ChaosReport } from './chaos-figures.ts';
import { markdownTable } from './markdown-table.ts';

/** What a run of `npm run chaos` found, as Markdown. */
export function chaosText({ machine, measuredAt, settings, scenarios }: ChaosReport): string {
  const ran = scenarios.filter((one): one is ChaosFigures => !('notRun' in one));
  const notRun = scenarios.flatMap((one) =>
    'notRun' in one ? [`- ${one.scenario}: not run, because ${one.notRun}.`] : [],
  );
  const broken = ran.flatMap(({ scenario, broken: promises }) =>
    promises.map((promise) => `- ${scenario}: ${promise}.`),
  );
  const sizes = Object.entries(settings).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
  return `## When parts fail

These are the results of one run of \`npm run chaos\`. It kills processes and stores, or makes them stop answering, while
deliveries and payments are under way. Then it compares what the receiver got with the answers that the producers of events got:

- An event whose commit was answered must arrive. If a commit got no answer and the database holds the event, it must arrive too.
- A delivery may be sent again after an attempt that is recorded as failed, and once for each kill that found it claimed.
- Each arrival must be recorded. No event may report a payment or refund that did not complete.

${markdownTable(['What happens', 'Expected', 'Lost', 'Sent twice', 'Not recorded', 'Recovered'], ran.map(row))}
${notRun.join('\n')}

${broken.length === 0 ? 'No promise was broken.' : `Broken promises:\n\n${broken.join('\n')}`}

The run ended on ${measuredAt.slice(0, 10)}, on ${machine.cores} × ${machine.cpu}, ${machine.system}, Node ${machine.node}, with ${sizes.join(', ')}.
`;
}

function row({
  scenario,
  expected,
  lost,
  duplicated,
  mostDuplicated,
  unlogged,
  recoveredSeconds,
}: ChaosFigures): string[] {
  return [
    scenario,
    expected.toLocaleString('en'),
    `**${lost}**`,
    `${duplicated}, at most ${mostDuplicated} allowed`,
    String(unlogged),
    recoveredSeconds === null ? '' : `in ${recoveredSeconds.toFixed(1)} s`,
  ];
}
