/**
 * The simulation has no networks, disks or locks, and does not collect deliveries into batches, so real times are
 * longer. It shows which part is overloaded first, and how the waiting time then grows.
 */
import type { ScalingReport, Simulated, Sizes } from '@tillhook/docs/figures/scaling.ts';
import { createHeap } from './heap.ts';

export interface Load {
  eventsPerSecond: number;
  seconds: number;
  answerMs: number;
  inFlight: number;
}

/** The first part of the run is not counted, because the machines are idle at first. */
const warmUpPart = 0.2;

export function simulate(
  { payment, delivery }: Pick<ScalingReport, 'payment' | 'delivery'>,
  { eventsPerSecond, seconds, answerMs, inFlight }: Load,
  { apiProcesses, workers, postgresCores }: Sizes,
): Simulated {
  const endsAt = seconds * 1000;
  const random = createRandom();
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const steps = createHeap<() => void>();
  const api = createProcessors(apiProcesses);
  const postgres = createProcessors(postgresCores);
  const sending = createProcessors(workers);
  const waiting: number[] = [];
  let [now, free, firstWaiting, begun, finished] = [0, workers * inFlight, 0, 0, 0];
  const paymentMs: number[] = [];
  const lateMs: number[] = [];

  const keep = (times: number[], since: number) => {
    if (since >= warmUpPart * endsAt) times.push(now - since);
  };
  const after = (at: number, step: () => void) => steps.push(at, step);
  function arrive(): void {
    const since = now;
    begun += 1;
    after(api.use(now, payment.apiMicros + delivery.apiMicros), () =>
      after(postgres.use(now, payment.postgresMicros), () => commit(since)),
    );
    after(now + exponential(1000 / eventsPerSecond), arrive);
  }
  function commit(since: number): void {
    keep(paymentMs, since);
    waiting.push(now);
    send();
  }
  function send(): void {
    const committedAt = waiting[firstWaiting];
    if (free === 0 || committedAt === undefined) return;
    free -= 1;
    firstWaiting += 1;
    after(sending.use(now, delivery.workerMicros), () => {
      keep(lateMs, committedAt);
      after(now + exponential(answerMs), () => after(postgres.use(now, delivery.postgresMicros), finish));
    });
  }
  function finish(): void {
    finished += 1;
    free += 1;
    send();
  }

  after(0, arrive);
  for (let next = steps.pop(); next && next.at <= endsAt; next = steps.pop()) {
    now = next.at;
    next.item();
  }
  return {
    paymentMs: quantiles(paymentMs),
    lateMs: quantiles(lateMs),
    used: { api: api.used(endsAt), workers: sending.used(endsAt), postgres: postgres.used(endsAt) },
    unfinished: begun - finished,
  };
}

interface Processors {
  /** Uses the machine that is free first, but not before `at`. Returns the time at which the work is done. */
  use(at: number, micros: number): number;
  /** Returns the share of the time until the given end in which the machines were busy. */
  used(until: number): number;
}

function createProcessors(count: number): Processors {
  const free = createHeap<undefined>();
  for (let index = 0; index < count; index++) free.push(0, undefined);
  let busyMs = 0;
  return {
    use(at, micros) {
      const begins = Math.max(at, free.pop()?.at ?? at);
      busyMs += micros / 1000;
      free.push(begins + micros / 1000, undefined);
      return begins + micros / 1000;
    },
    used: (until) => Math.min(1, busyMs / (count * until)),
  };
}

function quantiles(times: number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(times).sort();
  const at = (part: number) => sorted[Math.floor(part * sorted.length)] ?? Number.POSITIVE_INFINITY;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Returns a generator (xorshift) of random numbers from 0 to 1, which are the same in each run. */
function createRandom(): () => number {
  let state = 20_261_126;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
