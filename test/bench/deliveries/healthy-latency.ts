import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createRemoteBell } from '@tillhook/server/src/delivery/queue/bell.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { Pool } from 'pg';
import type { Child } from '../../support/measuring/child.ts';
import { createMerchant } from '../../support/measuring/merchant.ts';
import { queueMore, registerEndpoints, removeAllDeliveries } from '../../support/measuring/owe.ts';
import { quantile } from '../../support/measuring/spread.ts';
import type { Bench } from '../bench.ts';
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

/** Returns the p99 from commit to receipt of the healthy endpoints, all of which are new to the worker. */
export async function latencyOfHealthy(bench: Bench, receiver: Child, load: Load): Promise<number> {
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
