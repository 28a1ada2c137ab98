import { type BenchReport, cpuText, type Figure, isReached, ratioText, targetText, valueText } from './figures.ts';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';

/** How fast it is and beside what, on which machine, and whether each target was reached. */
export function benchmarksPage(report: BenchReport): Page {
  const { figures } = report;
  const judged = figures.filter(({ target }) => target);
  const reached = judged.filter((figure) => isReached(figure));
  return {
    path: '/benchmarks',
    title: 'Benchmarks',
    summary: 'How fast it is, beside what else does the same work, and on which machine.',
    markdown: `# Benchmarks

One run of \`npm run bench\`, each contender as a separate process on one machine and one Postgres. Rates depend on
the machine; the ratios, taken within each round, are what can be compared. Each value is the median of the rounds, with the
least and the most in parentheses. ${reached.length} of ${judged.length} targets were reached.

${markdownTable(['Figure', 'Ratio', 'Target', 'Tillhook', 'Beside it'], figures.map(row))}
${bounds}
## Where and when

${circumstances(report)}
## What was measured

${figures.map(explanation).join('\n')}`,
  };
}

/** Why the figures are what they are. The figures themselves stand in the report, and here none of them again. */
const bounds = `## What bounds it

A delivery costs a worker, Postgres and a receiver, and here all of them share the cores. The largest part of the worker’s time goes
into the POST itself, which the raw sender spends as well; then come the driver of Postgres, the two signatures and the collector of
garbage. The job engines do the bare POST and nothing of that: no signature, no log of attempts, no fairness between
endpoints. What an endpoint may have in flight keeps the figure for a single one lower: its batches are small.

Tried without gain: HMAC by one-shot hashes, and more claimed ahead, which is within the noise. Results that wait longer for each
other spare Postgres a little for a single endpoint and nothing for many, and what waits is sent again when the process dies.

From commit to receipt there are several round trips, one after the other: the commit’s answer, the notification, the claim and
the POST. The latency is shown beside a single one. A bell inside the transaction would spare one, and have payments wait for
each other’s commits. A checkout asks Postgres more often than the bare one: for the key, for the limit and for the lock of its
Idempotency-Key.
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

function circumstances({ machine, versions, settings, measuredAt }: BenchReport): string {
  const { cpu, cores, memoryGiB, system, loadBefore } = machine;
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const given = Object.entries(settings).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
  return markdownTable(
    ['', ''],
    [
      ['When', measuredAt.slice(0, 10)],
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
