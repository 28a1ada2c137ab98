import type { Bench } from '../bench.ts';
import { figureOf, type Measured } from '../contest.ts';
import { comparedWithHealthy, perSecond } from './healthy-latency.ts';

const healthyEndpoints = 95;
const otherEndpoints = 5;
/** Repeats a value of `receiver.ts`, because importing `receiver.ts` would start a receiver in this process. */
const slowAnswerMs = 14_000;

const about = `${perSecond} events a second, five to a commit, for ${healthyEndpoints} endpoints of one merchant that answer at once and ${otherEndpoints}
  of another, by one worker. Those ${otherEndpoints} answer 200 after ${slowAnswerMs / 1000} s, or at once as the others do; what the others are sent is timed,
  from commit to receipt. All endpoints are new to the worker in each round.`;

export async function measureSlow(bench: Bench, total: number): Promise<Measured[]> {
  const rounds = await comparedWithHealthy(bench, {
    load: { total, healthyEndpoints, otherEndpoints },
    otherPath: '/slow',
    // Deliveries in flight must have been answered before the next round begins.
    pauseMs: slowAnswerMs * 1.1,
  });
  const described = {
    name: 'p99 from commit to receipt, of healthy endpoints with 5 % answering 200 after 14 s',
    about,
    unit: 'ms',
    against: 'all answering at once',
    target: { of: 'ratio', atMost: 1.5 },
  } as const;
  return [figureOf(described, rounds)];
}
