import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../support/child.ts';
import { quantile } from '../support/spread.ts';
import { moveEndpoints } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import { newProducer, type Producer } from './producer.ts';
import { type Stage, startReceiver } from './stage.ts';
import { type Tally, tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  answerMs: number;
  waiting: number;
  eventsPerSecond: number;
  withoutMs: number;
  besideMs: number;
  /** Whether the latency is checked. Tests do not check the latency, because other tests run at the same time. */
  isTimed: boolean;
}

const slowCount = 16;
const commitsPerSecond = 10;
const perCommit = 5;
/** If a delivery had to wait for a slow endpoint, it would wait for seconds. */
const maxDelayMs = 250;

/** Checks that sixteen slow endpoints of a merchant in test mode do not delay the deliveries of other merchants. */
export async function slowEndpoints(stage: Stage, scale: Scale): Promise<Outcome> {
  const { answerMs, waiting, withoutMs, besideMs, isTimed } = scale;
  await stage.startServer('worker', {
    DELIVERY_LEASE_MS: '60000',
    DELIVERY_TIMEOUT_MS: '20000',
    DELIVERY_CONNECT_TIMEOUT_MS: '5000',
    DELIVERY_RETRY_DELAYS_MS: '',
  });
  const receiver = await startReceiver(stage, { delayMs: answerMs });
  const slow = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: slowCount });
  // The first deliveries of a process are slower than later deliveries, so the first deliveries are not timed.
  await playHealthy(stage, withoutMs / 10);
  const without = await playHealthy(stage, withoutMs);
  if (waiting > 0) await slow.queueEvents(waiting);
  const queueing = keepQueueing(slow, scale.eventsPerSecond);
  const beside = await playHealthy(stage, besideMs);
  await queueing.stop();
  const slowCounts = await endSlow(stage, receiver, slow);
  const [before, now] = [quantile(without.latenciesMs, 0.99), quantile(beside.latenciesMs, 0.99)];
  // `Math.max(...latenciesMs)` throws an error for more than about 100,000 values.
  const slowestMs = beside.latenciesMs.reduce((slowest, each) => Math.max(slowest, each), 0);
  return {
    scenario: `sixteen endpoints of one merchant answer 200 after ${answerMs / 1000} s`,
    ...sum(beside.counts, slowCounts),
    duplicates: { max: 0, because: 'the worker is not killed' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `p99 from commit to receipt of the others ${before.toFixed(1)} ms without them, ${now.toFixed(1)} ms beside them (the slowest ${slowestMs.toFixed(0)} ms)`,
    ],
    broken: [
      ...beside.counts.broken,
      ...slowCounts.broken,
      ...(isTimed && now > before + maxDelayMs ? [`p99 of the others is ${now.toFixed(0)} ms`] : []),
    ],
  };
}

async function playHealthy(stage: Stage, forMs: number): Promise<Tally> {
  const receiver = await startReceiver(stage);
  const url = `${receiver.greeting}/webhooks`;
  const producers = [
    await newProducer(stage, { url, mode: 'live', endpoints: 4 }),
    await newProducer(stage, { url, mode: 'test', endpoints: 4 }),
  ];
  for (let commits = 0; commits < (forMs / 1000) * commitsPerSecond; commits += 1) {
    const pause = sleep(1000 / commitsPerSecond);
    for (const producer of producers) await producer.queueEvents(perCommit);
    await pause;
  }
  await waitUntilDelivered(
    stage,
    producers.map(({ merchantId }) => merchantId),
  );
  return tally(stage, { receiver, producers });
}

function keepQueueing(slow: Producer, eventsPerSecond: number): { stop(): Promise<void> } {
  let isStopped = eventsPerSecond === 0;
  const queueing = (async () => {
    while (!isStopped) {
      const pause = sleep(1000 / eventsPerSecond);
      await slow.queueEvents(slowCount);
      await pause;
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await queueing;
    },
  };
}

async function endSlow(stage: Stage, receiver: Child, slow: Producer): Promise<Tally['counts']> {
  await moveEndpoints(stage.database, slow.merchantId, `${receiver.greeting}/at-once`);
  await waitUntilDelivered(stage, [slow.merchantId]);
  return (await tally(stage, { receiver, producers: [slow] })).counts;
}

type Counts = Tally['counts'];

function sum(one: Counts, other: Counts): Omit<Counts, 'broken' | 'duplicates'> {
  const add = (name: 'expected' | 'received' | 'lost' | 'duplicated' | 'retried' | 'unlogged') =>
    one[name] + other[name];
  return {
    expected: add('expected'),
    received: add('received'),
    lost: add('lost'),
    duplicated: add('duplicated'),
    retried: add('retried'),
    unlogged: add('unlogged'),
  };
}
