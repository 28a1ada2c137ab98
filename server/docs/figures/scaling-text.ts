/** The results of `npm run scaling` as Markdown, for the documentation and for the command. */
import { markdownTable } from '../../src/kit/tables.ts';
import {
  bytesOf,
  type Costs,
  type Limits,
  type Load,
  needsOf,
  type ScalingReport,
  tablesKept,
  usedShares,
} from './scaling.ts';

export function costsTable({ payment, delivery }: ScalingReport): string {
  const rows: [string, (costs: Costs) => string][] = [
    ['CPU of the API', ({ apiMicros }) => `${round(apiMicros)} µs`],
    // A payment takes no CPU time of a worker, so its cell is empty.
    ['CPU of a worker', ({ workerMicros }) => (workerMicros > 0 ? `${round(workerMicros)} µs` : '')],
    ['CPU of Postgres', ({ postgresMicros }) => `${round(postgresMicros)} µs`],
    ['WAL', ({ walBytes }) => `${round(walBytes)} bytes`],
    ['Rows', rowsText],
    ['Tables and indexes', (costs) => `${round(bytesOf(costs))} bytes`],
  ];
  return markdownTable(
    ['What', 'A payment with its event', 'A delivery'],
    rows.map(([what, of]) => [what, of(payment), of(delivery)]),
  );
}

/** Shows how the rate of deliveries grows with the number of workers, and whether workers slow each other down. */
export function workersTable({ workers }: ScalingReport): string {
  const rows = workers.map((rate) => [
    round(rate.workers),
    round(rate.perSecond),
    `${round((100 * rate.perSecond) / rate.possiblePerSecond)} %`,
    `${round(rate.workerMicros)} µs`,
    `${round(rate.postgresMicros)} µs`,
  ]);
  return markdownTable(
    ['Workers', 'Deliveries a second', 'Of what is possible', 'CPU of the workers', 'CPU of Postgres'],
    rows,
  );
}

export function simulatedTable({ simulated }: Pick<ScalingReport, 'simulated'>): string {
  const rows = simulated.map(({ paymentMs, lateMs, used, ...load }) => [
    round(load.eventsPerSecond),
    `${load.change}: ${round(load.apiProcesses)}, ${round(load.workers)}, ${round(load.postgresCores)}`,
    percents(used.api),
    percents(used.workers),
    percents(used.postgres),
    `${time(paymentMs.p50)}, ${time(paymentMs.p99)}`,
    `${time(lateMs.p50)}, ${time(lateMs.p99)}`,
    seconds(load.unfinished / load.eventsPerSecond),
  ]);
  return markdownTable(
    [
      'Events a second',
      'API processes, workers, cores of Postgres',
      'API used',
      'Workers used',
      'Postgres used',
      'Payment p50, p99',
      'Webhook sent after p50, p99',
      'Unfinished load at the end',
    ],
    rows,
  );
}

/** Names the machines that each load needs, and the resource that each load uses up first. */
export function needsTable(report: ScalingReport, loads: readonly Load[], limits: Limits): string {
  const rows = loads.map((load) => {
    const needs = needsOf(report, load);
    const [first] = usedShares(needs, limits);
    return [
      round(load.eventsPerSecond),
      round(load.deliveriesPerEvent),
      cores(needs.apiCores),
      cores(needs.workerCores),
      cores(needs.postgresCores),
      `${round(needs.walMiBPerSecond)} MiB/s`,
      `${needs.keptTiB.toFixed(1)} TiB`,
      `${round(needs.growthGiBPerDay)} GiB a day`,
      first ? `${limitNames[first.limit]}: ${round(100 * first.share)} %` : '',
    ];
  });
  return markdownTable(
    [
      'Events a second',
      'Deliveries each',
      'API',
      'Workers',
      'Postgres',
      'WAL',
      'Events and deliveries kept',
      'Payments and ledger grow',
      'Used first of one primary',
    ],
    rows,
  );
}

const limitNames: Record<keyof Limits, string> = {
  postgresCores: 'processor time',
  walMiBPerSecond: 'WAL',
  storedTiB: 'storage',
};

const rowsText = (costs: Costs) =>
  tablesKept(costs)
    .map(([table, { rows }]) => `${rows.toFixed(1)} ${table}`)
    .join(', ');

const cores = (count: number) => (count <= 1 ? '1 core' : `${round(Math.ceil(count))} cores`);

const space = '\u00a0';

const percents = (part: number) => `${round(100 * part)}${space}%`;

const time = (ms: number) => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : round(ms)}${space}ms` : seconds(ms / 1000));

const seconds = (count: number) => `${count.toLocaleString('en', { maximumFractionDigits: 1 })}${space}s`;

const round = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
