import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver } from '../../support/measuring/child.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { latencyOfHealthy, perSecond } from './healthy-latency.ts';

const healthyEndpoints = 99;
/** Short, so that in one round the endpoint hangs, times out and hangs again. */
const timeoutMs = 2000;

const about = `${perSecond} events a second, five to a commit, for ${healthyEndpoints} endpoints that answer at once and one more, by one
  worker whose time-out is ${timeoutMs} ms. The one more takes connections and never answers, or answers as the others do; what is
  answered is timed, from commit to receipt. All endpoints are new to the worker in each round.`;

/** The latency of healthy endpoints when one in a hundred hangs, compared with the same when none hangs. */
export async function measureHanging(bench: Bench, total: number): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const worker = await bench.startServer('worker', {
    DELIVERY_TIMEOUT_MS: String(timeoutMs),
    DELIVERY_CONNECT_TIMEOUT_MS: String(timeoutMs),
  });
  const load = { total, healthyEndpoints, otherEndpoints: 1 };
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const baseline = await latencyOfHealthy(bench, receiver, { ...load, otherPath: '/webhooks' });
    const tillhook = await latencyOfHealthy(bench, receiver, { ...load, otherPath: '/hanging' });
    // Hanging attempts must have timed out before the next round begins.
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
