import { needsOf, type ScalingReport, type SimulatedLoad, type Sizes } from '@tillhook/docs/figures/scaling.ts';
import { simulate } from './simulation.ts';

type Costs = Pick<ScalingReport, 'payment' | 'delivery'>;

/** A typical response time of receivers on the public network. */
const answerMs = 100;
/** The default of `DELIVERY_CONCURRENCY`. */
const inFlight = 256;
/** The duration is the same for all loads, because the queue of an overloaded part keeps growing. */
const seconds = 10;

const half = (count: number) => Math.max(1, Math.floor(count / 2));
const changes: [change: string, change: (sizes: Sizes) => Sizes][] = [
  ['as computed', (sizes) => sizes],
  ['at most half the API processes', (sizes) => ({ ...sizes, apiProcesses: half(sizes.apiProcesses) })],
  ['at most half the workers', (sizes) => ({ ...sizes, workers: half(sizes.workers) })],
  ['at most half the cores of Postgres', (sizes) => ({ ...sizes, postgresCores: half(sizes.postgresCores) })],
];

export function simulateLoads(costs: Costs, loads: readonly number[]): SimulatedLoad[] {
  return loads.flatMap((eventsPerSecond) => {
    const needed = sizesFor(costs, eventsPerSecond);
    return changes.map(([change, changed]) => {
      const sizes = changed(needed);
      const load = { eventsPerSecond, seconds, answerMs, inFlight };
      return { eventsPerSecond, seconds, change, ...sizes, ...simulate(costs, load, sizes) };
    });
  });
}

function sizesFor(costs: Costs, eventsPerSecond: number): Sizes {
  const needs = needsOf(costs, { eventsPerSecond, deliveriesPerEvent: 1, retentionDays: 1 });
  return {
    apiProcesses: Math.ceil(needs.apiCores),
    workers: Math.ceil(needs.workerCores),
    postgresCores: Math.ceil(needs.postgresCores),
  };
}
