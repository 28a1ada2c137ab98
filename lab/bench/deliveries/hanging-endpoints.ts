import type { Bench } from '../bench.ts';
import { figureOf, type Measured } from '../contest.ts';
import { comparedWithHealthy, perSecond } from './healthy-latency.ts';

const healthyEndpoints = 99;
/** The timeout is short, so that attempts at the hanging endpoint time out and are retried within one round. */
const timeoutMs = 2000;

const about = `${perSecond} events a second, five to a commit, for ${healthyEndpoints} endpoints that answer at once and one more, by one
  worker whose time-out is ${timeoutMs} ms. The one more takes connections and never answers, or answers as the others do; what is
  answered is timed, from commit to receipt. All endpoints are new to the worker in each round.`;

export async function measureHanging(bench: Bench, total: number): Promise<Measured[]> {
  const rounds = await comparedWithHealthy(bench, {
    load: { total, healthyEndpoints, otherEndpoints: 1 },
    otherPath: '/hanging',
    worker: { DELIVERY_TIMEOUT_MS: String(timeoutMs), DELIVERY_CONNECT_TIMEOUT_MS: String(timeoutMs) },
    // Hanging attempts must have timed out before the next round begins.
    pauseMs: timeoutMs * 1.5,
  });
  const described = {
    name: 'p99 from commit to receipt, of healthy endpoints with 1 % hanging',
    about,
    unit: 'ms',
    against: 'none hanging',
    target: { of: 'ratio', atMost: 1.5 },
  } as const;
  return [figureOf(described, rounds)];
}
