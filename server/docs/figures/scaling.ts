/**
 * Computes the machines that a load needs from the costs of one payment and one delivery. `npm run scaling` measures
 * these costs, and prints the same computation for any load.
 */
import { readFileSync } from 'node:fs';

/** The costs of one payment or of one delivery. */
export interface Costs {
  /** CPU time of the API, of a worker and of Postgres, in microseconds. */
  apiMicros: number;
  workerMicros: number;
  postgresMicros: number;
  /** The size of the write-ahead log (WAL), which backups and replicas read too. */
  walBytes: number;
  /** The rows that one payment or delivery leaves in each table, and their bytes with indexes. */
  tables: Record<string, TableCosts>;
}

export interface TableCosts {
  rows: number;
  bytes: number;
}

export interface ScalingReport {
  measuredAt: string;
  revision?: string;
  machine: { cpu: string; cores: number; memoryGiB: number; system: string; loadBefore: number };
  versions: Record<string, string>;
  /** A payment with its event, from `createCheckout` to the answer that says that the payment is completed. */
  payment: Costs;
  /** A delivery of the payment's event, to an endpoint that answers at once. */
  delivery: Costs;
  /** The same work, done by an increasing number of workers. */
  workers: WorkersRate[];
  /** Simulated loads on the machines that they need, and on smaller machines. */
  simulated: SimulatedLoad[];
}

export interface WorkersRate {
  workers: number;
  /** The number of deliveries per second of all workers together. */
  perSecond: number;
  /**
   * The number of deliveries per second that the workers would send if they only waited for the answers of receivers.
   */
  possiblePerSecond: number;
  /** CPU time of all workers, and of Postgres, for one delivery, in microseconds. */
  workerMicros: number;
  postgresMicros: number;
}

/** The machines of a simulation. */
export interface Sizes {
  apiProcesses: number;
  workers: number;
  postgresCores: number;
}

/** The results of a simulation by `npm run scaling` of a load on machines. */
export interface Simulated {
  /** The time that the service needs for a payment, without the network. */
  paymentMs: { p50: number; p99: number };
  /** The time from the commit of an event until its webhook is sent. */
  lateMs: { p50: number; p99: number };
  /** The fraction of the time in which the processors are busy. */
  used: { api: number; workers: number; postgres: number };
  /** The number of payments that arrived but whose webhook is not recorded at the end of the simulation. */
  unfinished: number;
}

export interface SimulatedLoad extends Simulated, Sizes {
  eventsPerSecond: number;
  seconds: number;
  /** The description that the page shows. */
  change: string;
}

export interface Load {
  /** The number of payments that complete, each with one event. */
  eventsPerSecond: number;
  /** The number of endpoints that receive each event. */
  deliveriesPerEvent: number;
  retentionDays: number;
}

/**
 * The limits that the computation assumes for one primary of Postgres. These numbers were not measured: replace them by
 * the numbers of your machine.
 */
export interface Limits {
  postgresCores: number;
  walMiBPerSecond: number;
  storedTiB: number;
}

export const usualLimits: Limits = { postgresCores: 64, walMiBPerSecond: 500, storedTiB: 32 };

export interface Needs {
  apiCores: number;
  workerCores: number;
  postgresCores: number;
  walMiBPerSecond: number;
  /** The bytes of events and deliveries, which are purged after the retention. */
  keptTiB: number;
  /** The bytes of payments and the ledger, which are never purged. */
  growthGiBPerDay: number;
}

/** The tables whose rows are purged after the retention. Rows of `idempotency_key` are purged after a day. */
const removed = new Set(['event', 'delivery', 'delivery_attempt']);
const removedDaily = new Set(['idempotency_key']);

const secondsOfDay = 86_400;
/** The maximum fraction of its cores that a machine may use. Above it, the machine has no reserve for a peak. */
const usedPart = 0.6;

export function needsOf({ payment, delivery }: Pick<ScalingReport, 'payment' | 'delivery'>, load: Load): Needs {
  const { eventsPerSecond, deliveriesPerEvent, retentionDays } = load;
  const perEvent = (of: (costs: Costs) => number) => of(payment) + deliveriesPerEvent * of(delivery);
  const cores = (of: (costs: Costs) => number) => (eventsPerSecond * perEvent(of)) / 1e6 / usedPart;
  const bytesPerDay = (isCounted: (table: string) => boolean) =>
    eventsPerSecond * secondsOfDay * perEvent((costs) => bytesOf(costs, isCounted));
  return {
    apiCores: cores(({ apiMicros }) => apiMicros),
    workerCores: cores(({ workerMicros }) => workerMicros),
    postgresCores: cores(({ postgresMicros }) => postgresMicros),
    walMiBPerSecond: (eventsPerSecond * perEvent(({ walBytes }) => walBytes)) / 2 ** 20,
    keptTiB:
      (retentionDays * bytesPerDay((table) => removed.has(table)) + bytesPerDay((table) => removedDaily.has(table))) /
      2 ** 40,
    growthGiBPerDay: bytesPerDay((table) => !removed.has(table) && !removedDaily.has(table)) / 2 ** 30,
  };
}

/**
 * The tables in which the work leaves rows. All other tables grow only during such a short run: after the next vacuum
 * they reuse the space of their deleted rows.
 */
export function tablesKept({ tables }: Costs): [table: string, costs: TableCosts][] {
  return Object.entries(tables).filter(([, { rows }]) => rows >= 0.05);
}

/** The bytes that the work leaves in these tables. */
export function bytesOf(costs: Costs, isCounted: (table: string) => boolean = () => true): number {
  return tablesKept(costs).reduce((sum, [table, { bytes }]) => sum + (isCounted(table) ? bytes : 0), 0);
}

/**
 * Returns each limit of one primary with the fraction of it that the load needs, the highest fraction first. A fraction
 * above 1 exceeds the limit.
 */
export function usedShares(needs: Needs, limits: Limits): { limit: keyof Limits; share: number }[] {
  const shares = {
    postgresCores: needs.postgresCores / limits.postgresCores,
    walMiBPerSecond: needs.walMiBPerSecond / limits.walMiBPerSecond,
    storedTiB: needs.keptTiB / limits.storedTiB,
  };
  return (Object.keys(shares) as (keyof Limits)[])
    .map((limit) => ({ limit, share: shares[limit] }))
    .toSorted((a, b) => b.share - a.share);
}

/**
 * Returns the number of days until payments and the ledger fill the storage that events and deliveries leave free, or 0
 * when they leave none free.
 */
export function daysUntilFull({ keptTiB, growthGiBPerDay }: Needs, { storedTiB }: Limits): number {
  return Math.max(0, ((storedTiB - keptTiB) * 1024) / growthGiBPerDay);
}

export const publishedScalingFile = `${import.meta.dirname}/scaling.json`;

export function readPublishedScaling(): ScalingReport {
  return JSON.parse(readFileSync(publishedScalingFile, 'utf8'));
}
