/**
 * `npm run bench`: Tillhook beside the barest program that does the same outward work, and beside engines that could do it, in
 * one run on one machine, every contender a process of its own on loopback and on one embedded Postgres. Rates depend on the
 * machine and on what else it does; what can be compared are the ratios. Prints Markdown, and saves it with every round in
 * `reports/`; `--publish` makes it what the documentation shows.
 */
import { parseArgs } from 'node:util';
import { readWholeNumber, rejectAfter, rejectOnSignal } from '../support/run/long-run.ts';
import { measureBacklog } from './backlog-size.ts';
import { type Bench, prepareBench } from './bench.ts';
import { measureCheckouts } from './checkout-rate.ts';
import { measureCommitToReceipt } from './commit-to-receipt.ts';
import type { Measured } from './contest.ts';
import { measureDeliveries } from './delivery-rate.ts';
import { measureDocs } from './docs-pages.ts';
import { measureHanging } from './hanging-endpoints.ts';
import { besideEngine } from './job-engine-rate.ts';
import { measureMock } from './mock-rate.ts';
import { measurePages } from './page-render.ts';
import { describeMachine, markdownOf, publish, save } from './report.ts';
import { measureSdkCalls } from './sdk-calls.ts';
import { measureSlow } from './slow-endpoints.ts';
import { measureStart } from './start-time.ts';
import { measureTransfers } from './transfer-rate.ts';
import { measureWebhookVerification } from './webhook-verification.ts';
import { measureWorkers } from './worker-count.ts';

interface Measurement {
  /** How much there is to do in each round, unless the flag of the same name says otherwise. */
  size: number;
  measure(bench: Bench, size: number): Promise<Measured[]>;
}

/** What `--only` names. */
const measurements: Record<string, Measurement> = {
  deliveries: { size: 8000, measure: measureDeliveries },
  'graphile-worker': { size: 10_000, measure: besideEngine('graphile-worker') },
  'pg-boss': { size: 10_000, measure: besideEngine('pg-boss') },
  agenda: { size: 10_000, measure: besideEngine('agenda') },
  latency: { size: 1000, measure: measureCommitToReceipt },
  checkouts: { size: 2000, measure: measureCheckouts },
  transfers: { size: 2000, measure: measureTransfers },
  pages: { size: 1000, measure: measurePages },
  backlog: { size: 1_000_000, measure: measureBacklog },
  hanging: { size: 3000, measure: measureHanging },
  slow: { size: 10_000, measure: measureSlow },
  workers: { size: 20_000, measure: measureWorkers },
  start: { size: 100_000, measure: measureStart },
  sdk: { size: 3000, measure: measureSdkCalls },
  webhooks: { size: 5000, measure: measureWebhookVerification },
  mock: { size: 2000, measure: measureMock },
  docs: { size: 3, measure: measureDocs },
};

const mostMs = 1_800_000;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    /** Writes a CPU profile of each server process to `reports/` as well. The figures are then worth less. */
    profile: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    ...Object.fromEntries(Object.keys(measurements).map((name) => [name, { type: 'string' } as const])),
  },
});
const wanted = Object.entries(measurements).filter(([name]) => flags.only === undefined || flags.only === name);
const rounds = readWholeNumber('rounds', flags.rounds);
const sizes = Object.fromEntries(
  wanted.map(([name, { size }]) => [name, readWholeNumber(name, flags[name as keyof typeof flags] ?? size)]),
);
const running = new AsyncDisposableStack();
let exitCode = 0;
try {
  await Promise.race([measure(), rejectOnSignal(), rejectAfter(mostMs, 'Ask for fewer rounds.')]);
} catch (error) {
  console.error(error);
  exitCode = 1;
}
await running.disposeAsync();
process.exit(exitCode);

async function measure(): Promise<void> {
  if (wanted.length === 0) throw new Error(`There is nothing to measure called ${flags.only}.`);
  if (flags.publish && flags.only)
    throw new Error('What is published is the whole table: --publish goes without --only.');
  const bench = await prepareBench(running, { rounds, profile: flags.profile });
  const circumstances = await describeMachine(bench.database);
  const measured = { ...circumstances, measuredAt: '', settings: { rounds, ...sizes }, figures: [] as Measured[] };
  for (const [name, { measure }] of wanted) {
    console.error(`${new Date().toTimeString().slice(0, 8)} ${name}`);
    measured.figures.push(...(await measure(bench, sizes[name] ?? 0)));
    measured.measuredAt = new Date().toISOString();
    // Each time, so that what was measured is not lost by what fails after it.
    save(measured);
  }
  console.log(markdownOf(measured));
  if (flags.publish) publish(measured);
}
