/** Computes the machines that a load needs from the measured costs of one payment and one delivery. */
import { readFileSync } from 'node:fs';

export interface Costs {
  /** CPU time in microseconds. */
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
  /** The costs of a payment with its event, from `createCheckout` to the answer that the payment is completed. */
  payment: Costs;
  /** The costs of a delivery of the payment's event to an endpoint that answers at once. */
  delivery: Costs;
  workers: WorkersRate[];
  simulated: SimulatedLoad[];
}

export interface WorkersRate {
  workers: number;
  perSecond: number;
  /** The number of deliveries per second if workers did nothing but wait for the answers of receivers. */
  possiblePerSecond: number;
  /** CPU microseconds of all workers, and of Postgres, for one delivery. */
  workerMicros: number;
  postgresMicros: number;
}

export interface Sizes {
  apiProcesses: number;
  workers: number;
  postgresCores: number;
}

export interface Simulated {
  /** The time that the service needs for a payment, without the network. */
  paymentMs: { p50: number; p99: number };
  /** The time from the commit of an event until its webhook is sent. */
  lateMs: { p50: number; p99: number };
  /** The fraction of the time in which the processors are busy. */
  used: { api: number; workers: number; postgres: number };
  /** The number of payments whose webhook was not yet sent and recorded when the simulation ended. */
  unfinished: number;
}

export interface SimulatedLoad extends Simulated, Sizes {
  eventsPerSecond: number;
  seconds: number;
  change: string;
}

export interface Load {
  eventsPerSecond: number;
  deliveriesPerEvent: number;
  retentionDays: number;
}

/** The assumed limits of one Postgres primary. They were not measured: replace them by the limits of your machine. */
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
  /** The size of events and deliveries, which are purged after the retention. */
  keptTiB: number;
  /** The growth of payments and the ledger, which are never purged. */
  growthGiBPerDay: number;
}

/** The rows of these tables are purged after the retention. */
const removed = new Set(['event', 'delivery', 'delivery_attempt']);
const removedDaily = new Set(['idempotency_key']);

const secondsOfDay = 86_400;
/** The maximum used fraction of a machine's cores, which leaves a reserve for a peak. */
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
 * Counts only the tables in which a payment or a delivery leaves rows. All other tables reuse the space of their
 * deleted rows after a vacuum.
 */
export function tablesKept({ tables }: Costs): [table: string, costs: TableCosts][] {
  return Object.entries(tables).filter(([, { rows }]) => rows >= 0.05);
}

export function bytesOf(costs: Costs, isCounted: (table: string) => boolean = () => true): number {
  return tablesKept(costs).reduce((sum, [table, { bytes }]) => sum + (isCounted(table) ? bytes : 0), 0);
}

/** The fraction of each limit that the load needs, the highest fraction first. A fraction above 1 exceeds the limit. */
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

/** The number of days until payments and the ledger fill the storage that events and deliveries leave free. */
export function daysUntilFull({ keptTiB, growthGiBPerDay }: Needs, { storedTiB }: Limits): number {
  return Math.max(0, ((storedTiB - keptTiB) * 1024) / growthGiBPerDay);
}

export const publishedScalingFile = `${import.meta.dirname}/scaling.json`;

export function readPublishedScaling(): ScalingReport {
  return JSON.parse(readFileSync(publishedScalingFile, 'utf8'));
}
