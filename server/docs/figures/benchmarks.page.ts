import { markdownTable } from '../../src/kit/tables.ts';
import type { Page } from '../src/page.ts';
import {
  type BenchReport,
  cpuText,
  type Figure,
  isReached,
  judgedText,
  ratioText,
  shortRevision,
  targetText,
  valueText,
} from './bench-figures.ts';
import type { ChaosReport } from './chaos.ts';
import { chaosText } from './chaos.ts';

interface Reports {
  report: BenchReport;
  earlier: BenchReport;
  chaos: ChaosReport;
}

export function benchmarksPage({ report, earlier, chaos }: Reports): Page {
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

These are the results of \`npm run bench\`. Each program ran as a separate process on the same machine with the same
Postgres. Rates depend on the machine, so compare the ratios: each ratio is taken within one round. Each value is the median of
the rounds, with the lowest and the highest in parentheses. ${reached.length} of ${judged.length} targets were reached.

${markdownTable(['Figure', 'Ratio', 'Target', 'Tillhook', 'Compared with'], figures.map(row))}
${beforeAndAfter(report, earlier)}
${bounds}
${chaosText(chaos)}
## Where and when the speed was measured

${circumstances(report)}
## What was measured

${explanations(figures)}`,
  };
}

/** Shows only figures that have a target and are in both reports. */
function beforeAndAfter(report: BenchReport, earlier: BenchReport): string {
  const rows = report.figures.flatMap((figure) => {
    const before = figure.target && earlier.figures.find(({ name }) => name === figure.name);
    return before ? [[figure.name, targetText(figure), judgedText(before), judgedText(figure)]] : [];
  });
  return `### Before and after

On 26 November 2026 the way of a payment was made shorter. These are the same figures with the commit before that work
(\`${shortRevision(earlier.revision)}\`) and now (\`${shortRevision(report.revision)}\`), both measured on that day on the same machine. The load average was ${earlier.machine.loadBefore.toFixed(2)} before the first run and
${report.machine.loadBefore.toFixed(2)} before the second. The hosted page, hanging and slow endpoints and two workers were measured once more right after the
second run, because something that an earlier measurement had left disturbed them.

${markdownTable(['Figure', 'Target', 'Before', 'Now'], rows)}`;
}

/** The explanations repeat no figure, because the figures are in the report. */
const bounds = `## What limits the speed

A delivery needs processor time of a worker, of Postgres and of the receiver, and in this run all of them share the cores. The
worker spends most of its time on the POST itself, as the raw sender does. Next come the Postgres driver, the two signatures and
garbage collection. The job engines only make the POST: they make no signature, keep no log of attempts, and do not share the
capacity fairly between endpoints. The figure for a single endpoint is lower, because the number of deliveries that one endpoint
may have in flight is limited, so its batches are small. The limit stays also when no other endpoint waits: a receiver is built for the
number that \`DELIVERY_ENDPOINT_CONCURRENCY\` promises.

Some changes were tried without success. HMAC by one-shot hashes, larger claims, shorter forms of the recorded results, and log lines
that are written together made no measurable difference. Results gather for 20 ms to be written together. They could wait longer, but
those that wait when a process dies are lost, and their deliveries are sent again.

Payments and their webhooks come one by one. Then most of the time goes into round trips to Postgres, one after the other, because
each costs the service, the system and Postgres about the same, whatever it carries. So there are fewer of them than before:

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
merchant that calls often.

### Where the processor time goes

Of each hundred microseconds that the service itself used, by the profiles of 26 November 2026 (\`npm run bench -- --profile\`):

${markdownTable(
  ['Part', '`createCheckout`, 32 in flight', 'A test payment, 50 a second', 'A delivery in a backlog'],
  [
    ['Writes to sockets', '19', '15', '16'],
    ['Streams, sockets and timers of Node', '17', '18', '19'],
    ['HTTP server: Express and Node', '14', '8', ''],
    ['HTTP client: undici', '', '3', '18'],
    ['Driver of Postgres and SQL', '13', '24', '5'],
    ['Our code', '12', '13', '11'],
    ['Hashes, seals, signatures, random bytes', '10', '6', '7'],
    ['Check against the contract', '6', '3', ''],
    ['Garbage collection', '4', '2', '11'],
    ['Log', '2', '3', '11'],
    ['Rest', '3', '5', '2'],
  ],
)}
No single part stands out any more. The bare programs beside \`createCheckout\` check no key, no limit and no contract, seal no answer and
write no log. A test payment comes only fifty times a second, so Node seldom runs its code in the optimised form, and each of its
statements is a round trip. A start spends its time on loading modules and on making the schemas of the contract.
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
      ...(revision ? [['Commit', shortRevision(revision)]] : []),
      [
        'Machine',
        `${cores} × ${cpu}, ${memoryGiB} GiB, ${system}; load average before the run ${loadBefore.toFixed(2)}`,
      ],
      ['Versions', used.join(', ')],
      ['Settings', given.join(', ')],
    ],
  );
}

/** Figures that were measured together share an explanation, whose heading is the name of the first figure. */
function explanations(figures: readonly Figure[]): string {
  return [...Map.groupBy(figures, ({ about }) => about)].map(([about, of]) => explanation(about, of)).join('\n');
}

function explanation(about: string, of: readonly Figure[]): string {
  const [first, ...others] = of;
  const also = others.length > 0 && `The same for: ${others.map(({ name }) => name).join('; ')}.`;
  const spent = of.flatMap((figure) => spentText(figure, of.length > 1)).join('\n');
  return [`### ${first?.name}`, about, also, spent].filter(Boolean).join('\n\n');
}

function spentText({ name, cpuMicros, against }: Figure, isOneOfMany: boolean): string[] {
  const ours = cpuText(cpuMicros?.tillhook);
  const theirs = cpuText(cpuMicros?.baseline);
  const text = `CPU time for each, in µs. Tillhook: ${ours}.${theirs && ` ${against}: ${theirs}.`}`;
  return ours ? [isOneOfMany ? `- ${name}: ${text}` : `${text}\n`] : [];
}
