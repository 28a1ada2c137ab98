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
const perCommit = 5;

interface Load {
  total: number;
  /** All healthy endpoints belong to one merchant, so that the benchmark also tests the fair shares of merchants. */
  healthyEndpoints: number;
  otherEndpoints: number;
  otherPath: '/webhooks' | '/hanging' | '/slow';
}

interface Comparison {
  load: Omit<Load, 'otherPath'>;
  otherPath: Load['otherPath'];
  worker?: Record<string, string>;
  pauseMs: number;
}

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
