import { peakMemoryMiB } from '../support/memory.ts';
import { refreshStatistics } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import { newProducer } from './producer.ts';
import { type Stage, startReceiver, withLongLease } from './stage.ts';
import { type Tally, tally, waitUntilDelivered } from './tally.ts';

const few = 10_000;
const oneCommit = 50_000;
const endpoints = 100;
const patienceMs = 900_000;

interface Drain extends Tally {
  perSecond: number;
  memoryMiB: number;
}

/** A queue in a table usually slows down at the end of a backlog, with a thousand old rows for each pending row. */
export async function manyWaiting(stage: Stage, { waiting }: { waiting: number }): Promise<Outcome> {
  const before = await drain(stage, Math.min(few, waiting));
  const { perSecond, memoryMiB, counts } = await drain(stage, waiting);
  return {
    scenario: `${waiting.toLocaleString('en')} rows waiting for two workers`,
    ...counts,
    duplicates: { max: 0, because: 'claims never overlap' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `drained at ${perSecond.toFixed(0)}/s with ${memoryMiB.toFixed(0)} MiB, ` +
        `${Math.min(few, waiting).toLocaleString('en')} before at ${before.perSecond.toFixed(0)}/s with ${before.memoryMiB.toFixed(0)} MiB`,
    ],
  };
}

async function drain(stage: Stage, waiting: number): Promise<Drain> {
  const receiver = await startReceiver(stage);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints });
  for (let queued = 0; queued < waiting; queued += oneCommit) {
    await producer.queueEvents(Math.min(oneCommit, waiting - queued));
  }
  await refreshStatistics(stage.database);
  const workers = await Promise.all([
    stage.startServer('worker', withLongLease),
    stage.startServer('worker', withLongLease),
  ]);
  await waitUntilDelivered(stage, [producer.merchantId], { patienceMs });
  const memoryMiB = Math.max(...workers.map(({ pid }) => peakMemoryMiB(pid)));
  const tallied = await tally(stage, { receiver, producers: [producer] });
  for (const worker of workers) await worker.kill();
  await receiver.stop();
  return { ...tallied, perSecond: tallied.counts.received / tallied.seconds, memoryMiB };
}
