/** `npm run scaling`: measures the cost of a payment and of a delivery, and computes how many machines a load needs. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Limits,
  type Load,
  publishedScalingFile,
  readPublishedScaling,
  type ScalingReport,
  usualLimits,
} from '@tillhook/docs/figures/scaling.ts';
import { costsTable, needsTable, simulatedTable, workersTable } from '@tillhook/docs/figures/scaling-text.ts';
import { prepareBench } from '../bench/bench.ts';
import { describeCircumstances } from '../bench/report.ts';
import { readWholeNumber, rejectAfter, rejectOnSignal } from '../support/long-run.ts';
import { measureCosts } from './measure.ts';
import { simulateLoads } from './simulated-loads.ts';
import { measureWorkerCounts } from './worker-counts.ts';

const maxMs = 600_000;

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '1000,10000,100000' },
    deliveries: { type: 'string', default: '1' },
    retention: { type: 'string', default: '30' },
    cores: { type: 'string', default: String(usualLimits.postgresCores) },
    wal: { type: 'string', default: String(usualLimits.walMiBPerSecond) },
    storage: { type: 'string', default: String(usualLimits.storedTiB) },
    seconds: { type: 'string', default: '30' },
    published: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
});
const limits: Limits = {
  postgresCores: readWholeNumber('cores', flags.cores),
  walMiBPerSecond: readWholeNumber('wal', flags.wal),
  storedTiB: readWholeNumber('storage', flags.storage),
};
const loads: Load[] = flags.events.split(',').map((events) => ({
  eventsPerSecond: readWholeNumber('events', events),
  deliveriesPerEvent: readWholeNumber('deliveries', flags.deliveries),
  retentionDays: readWholeNumber('retention', flags.retention),
}));
const seconds = readWholeNumber('seconds', flags.seconds);
const running = new AsyncDisposableStack();
let exitCode = 0;
try {
  const measured = await Promise.race([
    flags.published ? readPublishedScaling() : measure(),
    rejectOnSignal(),
    rejectAfter(maxMs, '--seconds is too high.'),
  ]);
  const simulated = simulateLoads(
    measured,
    loads.map(({ eventsPerSecond }) => eventsPerSecond),
  );
  const report = { ...measured, simulated };
  const tables = [costsTable(report), workersTable(report), needsTable(report, loads, limits), simulatedTable(report)];
  console.log(tables.join('\n'));
  if (flags.publish) publish(report);
} catch (error) {
  console.error(error);
  exitCode = 1;
}
await running.disposeAsync();
process.exit(exitCode);

async function measure(): Promise<Omit<ScalingReport, 'simulated'>> {
  const bench = await prepareBench(running, { rounds: 1, seconds, profile: false });
  const { revision, machine, versions } = await describeCircumstances(bench.database);
  const { Node = '', Postgres = '' } = versions;
  return {
    measuredAt: new Date().toISOString(),
    ...(revision && { revision }),
    machine,
    versions: { Node, Postgres },
    ...(await measureCosts(bench)),
    workers: await measureWorkerCounts(bench),
  };
}

function publish(report: ScalingReport): void {
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  writeFileSync(publishedScalingFile, `${JSON.stringify(report, rounded, 2)}\n`);
  console.log(`Published: ${publishedScalingFile}`);
}
