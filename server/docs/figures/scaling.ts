/**
 * What a load needs, computed from what one payment and one delivery cost. `npm run scaling` measures these costs, and
 * prints the same computation for any load.
 */
import { readFileSync } from 'node:fs';

/** What one piece of work costs. */
export interface Costs {
  /** CPU time of the API, of a worker and of Postgres, in microseconds. */
  apiMicros: number;
  workerMicros: number;
  postgresMicros: number;
  /** The log that Postgres writes before the tables, which backups and replicas read too. */
  walBytes: number;
  /** The rows and the bytes, with indexes, that it leaves in each table. */
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
  /** A payment with its event, from `createCheckout` to the answer that it is completed. */
  payment: Costs;
  /** A delivery of its event, to an endpoint that answers at once. */
  delivery: Costs;
  /** The same work, done by more and more workers. */
  workers: WorkersRate[];
  /** Loads on the machines that they need, and on smaller ones. */
  simulated: SimulatedLoad[];
}

export interface WorkersRate {
  workers: number;
  /** Deliveries a second of all workers together. */
  perSecond: number;
  /** What they would send if they did nothing but wait for the answers of receivers. */
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

/** What `npm run scaling` found by simulating a load on machines. */
export interface Simulated {
  /** How long the service needs for a payment, without the network. */
  paymentMs: { p50: number; p99: number };
  /** The time from the commit of an event until its webhook is sent. */
  lateMs: { p50: number; p99: number };
  /** The part of the time in which the processors are busy. */
  used: { api: number; workers: number; postgres: number };
  /** Payments that came and whose webhook is not recorded when the time is over. */
  unfinished: number;
}

export interface SimulatedLoad extends Simulated, Sizes {
  eventsPerSecond: number;
  seconds: number;
  /** In words for the page. */
  change: string;
}

export interface Load {
  /** Payments that complete, each with one event. */
  eventsPerSecond: number;
  /** The endpoints that get each event. */
  deliveriesPerEvent: number;
  retentionDays: number;
}

/** The most that one primary of Postgres is given. Nothing here was measured: replace them by those of your machine. */
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
  /** Events and deliveries, which are removed after the retention. */
  keptTiB: number;
  /** Payments and the ledger, which stay. */
  growthGiBPerDay: number;
}

/** The tables whose rows are removed after the retention. Rows of `idempotency_key` are removed after a day. */
const removed = new Set(['event', 'delivery', 'delivery_attempt']);
const removedDaily = new Set(['idempotency_key']);

const secondsOfDay = 86_400;
/** A machine that is used for more than this part of its cores has no rest for a peak. */
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
 * The tables in which the work leaves rows. Another one grows in so short a run too, but uses the space of its removed rows
 * again after the next vacuum.
 */
export function tablesKept({ tables }: Costs): [table: string, costs: TableCosts][] {
  return Object.entries(tables).filter(([, { rows }]) => rows >= 0.05);
}

/** The bytes that the work leaves in these tables. */
export function bytesOf(costs: Costs, isCounted: (table: string) => boolean = () => true): number {
  return tablesKept(costs).reduce((sum, [table, { bytes }]) => sum + (isCounted(table) ? bytes : 0), 0);
}

/** Each limit of one primary with the share of it that is needed. Above 1 it is exceeded. The first one breaks first. */
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

/** The days until payments and the ledger fill the storage that events and deliveries leave. 0 when they leave none. */
export function daysUntilFull({ keptTiB, growthGiBPerDay }: Needs, { storedTiB }: Limits): number {
  return Math.max(0, ((storedTiB - keptTiB) * 1024) / growthGiBPerDay);
}

export const publishedScalingFile = `${import.meta.dirname}/scaling.json`;

export function readPublishedScaling(): ScalingReport {
  return JSON.parse(readFileSync(publishedScalingFile, 'utf8'));
}
