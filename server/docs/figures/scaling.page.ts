import type { Page } from '../src/page.ts';
import { shortRevision } from './bench-figures.ts';
import {
  daysUntilFull,
  type Limits,
  type Load,
  needsOf,
  type ScalingReport,
  usedShares,
  usualLimits,
} from './scaling.ts';
import { costsTable, needsTable, simulatedTable, workersTable } from './scaling-text.ts';

const loads: Load[] = [1000, 10_000, 100_000].map((eventsPerSecond) => ({
  eventsPerSecond,
  deliveriesPerEvent: 1,
  retentionDays: 30,
}));

export function scalingPage(report: ScalingReport): Page {
  const { measuredAt, revision, machine, versions } = report;
  return {
    path: '/scaling',
    title: 'Scaling',
    summary: 'What one payment and one delivery cost, and the machines that a load needs.',
    markdown: `# Scaling

What one payment and one delivery cost, and the machines that a load needs.

## What is measured

\`npm run scaling\` pays as fast as one API, one worker and one Postgres can, with sixteen payments at once: \`createCheckout\` with an
\`Idempotency-Key\`, then \`testCompletePayment\`. It pays once for merchants without an endpoint and once for merchants with one.
What the second adds is a delivery. The API and the worker are separate processes, and the API sends nothing itself.

${costsTable(report)}
Measured on ${measuredAt.slice(0, 10)} on ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${versions.Node}, Postgres ${versions.Postgres}${
      revision ? `, at commit \`${shortRevision(revision)}\`` : ''
    }, with a load average of ${machine.loadBefore.toFixed(2)} before the run. A checkpoint of Postgres makes the next change of each page
larger in the WAL, which so short a run shows only in part.

## One, two and four workers

Workers share one queue and need no coordinator. Here each holds 32 deliveries at most, to a receiver that answers after 50 ms, so that
it waits for receivers and not for the cores of this machine: 640 deliveries a second are possible for each. The rest is lost because
they wait for each other. The CPU is that of one delivery.

${workersTable(report)}
In each table a delivery costs another time of a worker, because deliveries that are due together share statements. One that comes
alone, as in the first table, has its claim and its result to itself and costs the most. When many wait, one statement claims or records some
hundreds, and a worker with one core sends [some thousands a second](/docs/benchmarks-and-chaos). What follows computes with the cost of
one that comes alone. So a worker that falls behind does more than it says.

## What a load needs

The table multiplies these costs. Cores are used for at most 60 %, so that a peak has room. Events and deliveries
are kept for 30 days, and payments and the ledger for ever. One primary of Postgres is taken to have ${usualLimits.postgresCores} cores, ${usualLimits.walMiBPerSecond} MiB of WAL a second and ${usualLimits.storedTiB} TiB.

${needsTable(report, loads, usualLimits)}
These are computed and not measured: no such machines were tried. A faster core needs less, and a disk that is slow to confirm a commit
needs more connections, not more cores. The same computation with your numbers:

\`\`\`sh
npm run scaling -- --published --events 2500 --deliveries 2 --retention 14 --cores 32 --wal 200 --storage 8
npm run scaling                # measures on this machine first, which takes two minutes
\`\`\`

## What happens when it is too small

The same loads, simulated for ${simulatedSeconds(report)} seconds: payments come at random times to machines of these sizes, and to machines where one part is
at most half as large. Receivers answer after 100 ms on average, and a worker has 256 deliveries in flight. The last column says how many
seconds of the load were not finished in the end. A simulation leaves out networks, disks and locks, so real times are longer: it shows how waiting grows.

${simulatedTable(report)}
A part that is too small makes the rest idle. Too few API processes delay payments only, and too few workers delay webhooks only. Too
small a Postgres delays both, because a delivery keeps its in-flight slot until it is recorded.

## What breaks first, and what takes over

${loads.map((load) => step(report, load, usualLimits)).join('\n')}

1. **More API and worker processes.** They hold no state: claims use \`for update skip locked\`, and limits, locks and
   \`Idempotency-Key\`s are in Postgres. [Operations](/docs/operations) says when to add which.
2. **A connection pooler**, when the processes together need more connections than Postgres has cores for. PgBouncer in transaction mode is
   tested.
3. **Shorter retention and faster disks.** Events and attempts are in one partition for each day, and removing a day is dropping a table.
   Deliveries are removed in batches.
4. **Replicas** of Postgres are for failover and for reports of your own. Tillhook itself reads from the primary only.
5. **A distributed Postgres, by \`merchant_id\`.** The rows of one merchant are never joined with those of another, and a test holds
   the statements of the hot paths to naming the merchant, but for those named here. Three things would have to change. Queued
   deliveries, attempts, ledger entries and attempts to pay have no such column: they are found by the id of a row that has it. Workers
   claim and record deliveries of all merchants together, so each node needs its workers. And the feed of events counts transactions of one Postgres. This was not tried, and
   Tillhook itself has no sharding.
`,
  };
}

const simulatedSeconds = ({ simulated }: ScalingReport) =>
  [...new Set(simulated.map(({ seconds }) => seconds))].join(' or ');

const words: Record<keyof Limits, string> = {
  postgresCores: 'the processor time of Postgres',
  walMiBPerSecond: 'the WAL that one primary writes',
  storedTiB: 'the storage for events and deliveries',
};

function step(report: ScalingReport, load: Load, limits: Limits): string {
  const needs = needsOf(report, load);
  const [first] = usedShares(needs, limits);
  if (!first) return '';
  const percent = Math.round(100 * first.share).toLocaleString('en');
  const verdict = first.share <= 1 ? 'one primary is enough' : 'one primary is not enough';
  return `- At ${load.eventsPerSecond.toLocaleString('en')} events a second ${verdict}: ${words[first.limit]} is used most, at ${percent} %.${fullText(daysUntilFull(needs, limits))}`;
}

const fullText = (days: number) =>
  days > 0
    ? ` Payments and the ledger fill the rest of its storage in ${Math.round(days).toLocaleString('en')} days, unless old ones are moved elsewhere.`
    : '';
