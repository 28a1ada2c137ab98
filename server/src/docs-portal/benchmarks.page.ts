import type { ChaosReport } from './chaos-figures.ts';
import { chaosText } from './chaos-text.ts';
import { type BenchReport, cpuText, type Figure, isReached, ratioText, targetText, valueText } from './figures.ts';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';

/**
 * How fast Tillhook is and how it compares with others, on which machine, and whether each target was reached. And what
 * is lost when parts fail.
 */
export function benchmarksPage(report: BenchReport, chaos: ChaosReport): Page {
  const { figures } = report;
  const judged = figures.filter(({ target }) => target);
  const reached = judged.filter((figure) => isReached(figure));
  return {
    path: '/benchmarks-and-chaos',
    title: 'Benchmarks and chaos',
    summary: 'How fast Tillhook is, compared with other programs, and what is lost when parts of it fail.',
    markdown: `# Benchmarks and chaos

How fast Tillhook is, compared with other programs, and what is lost when parts of it fail.

## Speed

These are the results of one run of \`npm run bench\`. Each program ran as a separate process on the same machine with the same
Postgres. Rates depend on the machine, so compare the ratios: each ratio is taken within one round. Each value is the median of
the rounds, with the lowest and the highest in parentheses. ${reached.length} of ${judged.length} targets were reached.

${markdownTable(['Figure', 'Ratio', 'Target', 'Tillhook', 'Compared with'], figures.map(row))}
${bounds}
${chaosText(chaos)}
## Where and when the speed was measured

${circumstances(report)}
## What was measured

${figures.map(explanation).join('\n')}`,
  };
}

/** Explains the figures. It repeats none of them, because they stand in the report. */
const bounds = `## What limits the speed

A delivery needs processor time of a worker, of Postgres and of the receiver, and in this run all of them share the cores. The
worker spends most of its time on the POST itself, as the raw sender does. Next come the Postgres driver, the two signatures and
garbage collection. The job engines only make the POST: they make no signature, keep no log of attempts, and do not share the
capacity fairly between endpoints. The figure for a single endpoint is lower, because the number of deliveries that one endpoint
may have in flight is limited, so its batches are small.

Three changes were tried without success. HMAC by one-shot hashes and larger claims made no measurable difference. When results
wait longer to be written together, Postgres has a little less work for a single endpoint and the same for many. But results that
wait when a process dies are lost, and their deliveries are sent again.

Between the commit and the receipt there are several round trips, one after the other: the answer to the commit, the notification,
the claim and the POST. A notification inside the transaction would save one round trip, but payments would wait for each other’s
commits. A checkout is one statement, which also checks the API key and gets the lock of the Idempotency-Key. Further time goes into
the check of the request against the contract, the seal of the stored answer and the log. Figures from before 25 November 2026 were
measured while a checkout still made seven round trips.
`;

function row(figure: Figure): string[] {
  const { name, unit, tillhook, against, baseline } = figure;
  const beside = against ? `${against}: ${valueText(baseline, unit)}` : '';
  return [name, ratioText(figure), verdict(figure), valueText(tillhook, unit), beside];
}

function verdict(figure: Figure): string {
  const isMet = isReached(figure);
  return isMet === undefined ? '' : `${targetText(figure)}, **${isMet ? 'reached' : 'missed'}**`;
}

function circumstances({ machine, versions, settings, measuredAt, revision }: BenchReport): string {
  const { cpu, cores, memoryGiB, system, loadBefore } = machine;
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const given = Object.entries(settings).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
  return markdownTable(
    ['', ''],
    [
      ['When', measuredAt.slice(0, 10)],
      ...(revision ? [['Commit', revision]] : []),
      [
        'Machine',
        `${cores} × ${cpu}, ${memoryGiB} GiB, ${system}; load average before the run ${loadBefore.toFixed(2)}`,
      ],
      ['Versions', used.join(', ')],
      ['Settings', given.join(', ')],
    ],
  );
}

function explanation({ name, about, cpuMicros, against }: Figure): string {
  const ours = cpuText(cpuMicros?.tillhook);
  const theirs = cpuText(cpuMicros?.baseline);
  const spent = ours && `CPU time for each, in µs. Tillhook: ${ours}.${theirs && ` ${against}: ${theirs}.`}\n`;
  return [`### ${name}`, about, spent].filter(Boolean).join('\n\n');
}
