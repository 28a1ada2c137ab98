/**
 * `npm run bench`: compares Tillhook with the smallest program that does the same work, and with job engines. Rates
 * depend on the machine and its other load, so compare only the ratios.
 */
import { parseArgs } from 'node:util';
import { readWholeNumber, rejectAfter, rejectOnSignal } from '../support/long-run.ts';
import { type Bench, prepareBench } from './bench.ts';
import { measureMock } from './clients/mock-rate.ts';
import { measureSdkCalls } from './clients/sdk-calls.ts';
import { measureWebhookVerification } from './clients/webhook-verification.ts';
import type { Measured } from './contest.ts';
import { measureBacklog } from './deliveries/backlog-size.ts';
import { measureClaims } from './deliveries/claim-time.ts';
import { measureCommitToReceipt } from './deliveries/commit-to-receipt.ts';
import { measureDeliveries } from './deliveries/delivery-rate.ts';
import { measureFeed } from './deliveries/event-feed.ts';
import { measureHanging } from './deliveries/hanging-endpoints.ts';
import { measureListen } from './deliveries/listen.ts';
import { measureSlow } from './deliveries/slow-endpoints.ts';
import { measureStart } from './deliveries/start-time.ts';
import { measureWorkers } from './deliveries/worker-count.ts';
import { measureBesideEngine } from './job-engines/job-engine-rate.ts';
import { measureDocs } from './pages/docs-pages.ts';
import { measurePages } from './pages/page-render.ts';
import { measureCheckouts } from './payments/checkout-rate.ts';
import { measureReceipts } from './payments/receipts.ts';
import { measureTestPayments } from './payments/test-payments.ts';
import { measureTraces } from './payments/traced-payments.ts';
import { describeCircumstances, markdownOf, missedTargets, publish, save } from './report.ts';
import { measureRefunds } from './wallets/refund-rate.ts';
import { measureTransfers } from './wallets/transfer-rate.ts';

interface Measurement {
  /** The default amount of work. The flag with the name of the measurement overrides it. */
  size?: number;
  measure(bench: Bench, size: number): Promise<Measured[]>;
}

const measurements: Record<string, Measurement> = {
  deliveries: { measure: measureDeliveries },
  'graphile-worker': { measure: measureBesideEngine('graphile-worker') },
  'pg-boss': { measure: measureBesideEngine('pg-boss') },
  agenda: { measure: measureBesideEngine('agenda') },
  latency: { measure: measureCommitToReceipt },
  checkouts: { measure: measureCheckouts },
  payments: { measure: measureTestPayments },
  receipts: { measure: measureReceipts },
  traces: { measure: measureTraces },
  transfers: { measure: measureTransfers },
  refunds: { measure: measureRefunds },
  pages: { size: 1000, measure: measurePages },
  feed: { size: 1_000_000, measure: measureFeed },
  claims: { size: 1_000_000, measure: measureClaims },
  backlog: { size: 1_000_000, measure: measureBacklog },
  hanging: { size: 3000, measure: measureHanging },
  slow: { size: 10_000, measure: measureSlow },
  workers: { measure: measureWorkers },
  start: { size: 100_000, measure: measureStart },
  sdk: { size: 3000, measure: measureSdkCalls },
  webhooks: { size: 5000, measure: measureWebhookVerification },
  listen: { size: 10_000, measure: measureListen },
  mock: { measure: measureMock },
  docs: { size: 3, measure: measureDocs },
};

const maxMs = 7_200_000;

const sized = Object.entries(measurements).flatMap(([name, { size }]) => (size ? [{ name, size }] : []));

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    /** Makes each server process write a CPU profile to `reports/`, which slows the servers down. */
    profile: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    /** Makes the program exit with 1 if a figure misses its target. */
    strict: { type: 'boolean', default: false },
    ...Object.fromEntries(sized.map(({ name }) => [name, { type: 'string' } as const])),
  },
});
const wanted = Object.entries(measurements).filter(([name]) => flags.only === undefined || flags.only === name);
const [rounds, seconds] = [readWholeNumber('rounds', flags.rounds), readWholeNumber('seconds', flags.seconds)];
const sizes = Object.fromEntries(
  sized
    .filter(({ name }) => wanted.some(([one]) => one === name))
    .map(({ name, size }) => [name, readWholeNumber(name, flags[name as keyof typeof flags] ?? size)]),
);
const running = new AsyncDisposableStack();
let exitCode = 0;
try {
  await Promise.race([
    measure(),
    rejectOnSignal(),
    rejectAfter(maxMs, 'The benchmark took more than two hours, because --rounds is too high.'),
  ]);
} catch (error) {
  console.error(error);
  exitCode = 1;
}
await running.disposeAsync();
process.exit(exitCode);

async function measure(): Promise<void> {
  if (wanted.length === 0) throw new Error(`--only names an unknown measurement: ${flags.only}.`);
  if (flags.publish && flags.only)
    throw new Error('--publish and --only were both given, but --publish needs the figures of all measurements.');
  const bench = await prepareBench(running, { rounds, seconds, profile: flags.profile });
  const circumstances = await describeCircumstances(bench.database);
  const measured = {
    ...circumstances,
    measuredAt: '',
    settings: { rounds, seconds, ...sizes },
    figures: [] as Measured[],
  };
  for (const [name, { measure }] of wanted) {
    console.error(`${new Date().toTimeString().slice(0, 8)} ${name}`);
    measured.figures.push(...(await measure(bench, sizes[name] ?? 0)));
    measured.measuredAt = new Date().toISOString();
    // The results are saved after each measurement, so that a later failure loses no results.
    save(measured);
  }
  console.log(markdownOf(measured));
  if (flags.publish) publish(measured);
  if (!flags.strict) return;
  const missed = missedTargets(measured);
  for (const line of missed) console.error(line);
  if (missed.length > 0) exitCode = 1;
}
