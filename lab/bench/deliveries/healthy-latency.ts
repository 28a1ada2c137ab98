import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { createRemoteBell } from '@tillhook/server/src/webhooks/queue/bell.ts';
import { Pool } from 'pg';
import { type Child, startReceiver } from '../../support/child.ts';
import { createMerchant } from '../../support/merchant.ts';
import { queueMore, registerEndpoints, removeAllDeliveries } from '../../support/queued-deliveries.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import type { Round } from '../contest.ts';
import { atSteadyPace } from '../steady-pace.ts';
import { deliveryLatencies } from './delivery-latency.ts';

export const perSecond = 500;
/** The number of endpoints that get a delivery by one commit. */
const perCommit = 5;

interface Load {
  /** Deliveries to all endpoints together. */
  total: number;
  /** All of one merchant, so that the fair shares of merchants are tested too. */
  healthyEndpoints: number;
  /** Endpoints of another merchant, and their path at the receiver. */
  otherEndpoints: number;
  otherPath: '/webhooks' | '/hanging' | '/slow';
}

interface Comparison {
  load: Omit<Load, 'otherPath'>;
  /** What the other endpoints do in one run of each round. In the other run they answer at once. */
  otherPath: Load['otherPath'];
  /** Settings of the worker. */
  worker?: Record<string, string>;
  /** How long a round waits before the next begins. */
  pauseMs: number;
}

/**
 * The latency of the healthy endpoints, in rounds with and without the fault of the others. The first round is not counted.
 */
export async function comparedWithHealthy(
  bench: Bench,
  { load, otherPath, worker: settings, pauseMs }: Comparison,
): Promise<Round[]> {
  const receiver = await startReceiver(bench.running);
  const worker = await bench.startServer('worker', settings);
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const baseline = await latencyOfHealthy(bench, receiver, { ...load, otherPath: '/webhooks' });
    const tillhook = await latencyOfHealthy(bench, receiver, { ...load, otherPath });
    await sleep(pauseMs);
    if (round > 0) rounds.push({ tillhook, baseline });
  }
  await worker.stop();
  await receiver.stop();
  return rounds;
}

/** Returns the p99 from commit to receipt of the healthy endpoints, all of which are new to the worker. */
async function latencyOfHealthy(bench: Bench, receiver: Child, load: Load): Promise<number> {
  const { total, healthyEndpoints, otherEndpoints, otherPath } = load;
  const { database, databaseUrl, sealer } = bench;
  const register = async (path: string, count: number) => {
    const merchantId = await createMerchant(database);
    return registerEndpoints(database, sealer, { merchantId, url: receiver.greeting + path, count });
  };
  const endpointIds = [
    ...(await register('/webhooks', healthyEndpoints)),
    ...(await register(otherPath, otherEndpoints)),
  ];
  const commits = Math.ceil(total / endpointIds.length) * (endpointIds.length / perCommit);
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  const bell = createRemoteBell({ database: reachDatabase(databaseUrl), log: createLogger('warn') });
  const begin = (index: number) => queueMore(pool, slice(endpointIds, index * perCommit), bell);
  const queue = () => atSteadyPace({ total: commits, perSecond: perSecond / perCommit, begin });
  await removeAllDeliveries(database);
  const queued = commits * perCommit;
  // The receiver counts only deliveries at `/webhooks`.
  const expected = otherPath === '/webhooks' ? queued : (queued / endpointIds.length) * healthyEndpoints;
  const latencies = await deliveryLatencies({ database, receiver, expected, queue });
  await bell.stop();
  await pool.end();
  return quantile(latencies, 0.99);
}

function slice(endpointIds: string[], from: number): string[] {
  const start = from % endpointIds.length;
  return endpointIds.slice(start, start + perCommit);
}
