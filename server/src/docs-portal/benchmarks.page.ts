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

Some changes were tried without success. HMAC by one-shot hashes, larger claims and shorter forms of the recorded results made no
measurable difference. Results could wait longer to be written together, but those that wait when a process dies are lost, and their
deliveries are sent again.

Payments and their webhooks come one by one. Then most of the time goes into round trips to Postgres, one after the other, because
each costs the service, the system and Postgres about the same, whatever it carries. So there are fewer of them since
26 November 2026, and the figures from before that day were measured with more:

${markdownTable(
  ['Work', 'Before', 'Now', 'What they are'],
  [
    [
      '`createCheckout` with an `Idempotency-Key`',
      '7',
      '1',
      'One statement checks the key, claims the `Idempotency-Key`, keeps the answer and inserts the payment. A key that was not used for five seconds is read before it.',
    ],
    [
      '`testCompletePayment` with an `Idempotency-Key`',
      '19',
      '9',
      'The key, `begin`, the `Idempotency-Key`, the lock, the payment with its attempt, the event with its deliveries, the posting, the answer, `commit`.',
    ],
    ['A card on the hosted page', '21', '12', 'Two transactions, with two reads and the processor between them.'],
    [
      'From the commit to the POST of a delivery',
      '2',
      '0',
      'When nothing else waits for its endpoint, the statement of the event leases the delivery to the process that commits.',
    ],
    ['The result of a delivery', '1', '1', 'Results that come within 20 ms are recorded together.'],
  ],
)}
Each call also counts in the merchant’s rate limit. That is one statement for a call that comes alone, and one for several calls of a
merchant that calls often. Further time goes into the check of the request against the contract, the seal of the stored answer and
the log.
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
