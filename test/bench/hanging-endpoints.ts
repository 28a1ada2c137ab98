import { setTimeout as sleep } from 'node:timers/promises';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createRemoteBell } from '@tillhook/server/src/delivery/bell.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { Pool } from 'pg';
import type { Bench } from './bench.ts';
import { type Child, startChild } from './child.ts';
import { figureOf, type Measured, quantile, type Round } from './contest.ts';
import { registerAt } from './deliver.ts';
import { deliveryLatencies } from './delivery-latency.ts';
import { createMerchant } from './merchant.ts';
import { forget, oweMore, registerEndpoints } from './owe.ts';
import { atSteadyPace } from './steady-pace.ts';

const healthyEndpoints = 99;
const perSecond = 500;
/** Endpoints that one commit owes something to. */
const perCommit = 5;
/** Short, so that a round sees endpoints hang, time out and hang again. */
const timeoutMs = 2000;

const about = `${perSecond} events a second, five to a commit, for ${healthyEndpoints} endpoints that answer at once and one more, by one
  worker whose time-out is ${timeoutMs} ms. The one more takes connections and never answers, or answers as the others do; what is
  answered is timed, from commit to receipt. All endpoints are new to the worker in each round.`;

/** How long the healthy endpoints wait when one in a hundred hangs, beside the same when none does. */
export async function measureHanging(bench: Bench, total: number): Promise<Measured[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const worker = await bench.startServer('worker', {
    DELIVERY_TIMEOUT_MS: String(timeoutMs),
    DELIVERY_CONNECT_TIMEOUT_MS: String(timeoutMs),
  });
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const baseline = await latencyOfHealthy(bench, receiver, { total, lastPath: '/webhooks' });
    const tillhook = await latencyOfHealthy(bench, receiver, { total, lastPath: '/hanging' });
    // What hangs is over before the next begins.
    await sleep(timeoutMs * 1.5);
    if (round > 0) rounds.push({ tillhook, baseline });
  }
  await worker.stop();
  await receiver.stop();
  const described = {
    name: 'p99 from commit to receipt, of healthy endpoints with 1 % hanging',
    about,
    unit: 'ms',
    against: 'none hanging',
    target: { of: 'ratio', atMost: 1.5 },
  } as const;
  return [figureOf(described, rounds)];
}

/** The p99 of those that answer. */
async function latencyOfHealthy(
  bench: Bench,
  receiver: Child,
  { total, lastPath }: { total: number; lastPath: string },
): Promise<number> {
  const { database, databaseUrl, sealer } = bench;
  const healthy = await registerAt(bench, receiver, healthyEndpoints);
  const last = { merchantId: await createMerchant(database), url: receiver.greeting + lastPath, count: 1 };
  const endpointIds = [...healthy, ...(await registerEndpoints(database, sealer, last))];
  const commits = Math.ceil(total / endpointIds.length) * (endpointIds.length / perCommit);
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  const bell = createRemoteBell({ database: reachDatabase(databaseUrl), log: createLogger('warn') });
  const begin = (index: number) => oweMore(pool, slice(endpointIds, index * perCommit), bell);
  const owe = () => atSteadyPace({ total: commits, perSecond: perSecond / perCommit, begin });
  await forget(database);
  const isHanging = lastPath === '/hanging';
  const owed = commits * perCommit;
  const expected = isHanging ? (owed / endpointIds.length) * healthyEndpoints : owed;
  const latencies = await deliveryLatencies({ database, receiver, expected, owe });
  await bell.stop();
  await pool.end();
  return quantile(latencies, 0.99);
}

function slice(endpointIds: string[], from: number): string[] {
  const start = from % endpointIds.length;
  return endpointIds.slice(start, start + perCommit);
}
