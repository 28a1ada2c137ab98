import { peakMemoryMiB } from '../bench/memory.ts';
import { refreshStatistics } from './delivery-rows.ts';
import type { Outcome } from './outcome.ts';
import { newProducer } from './producer.ts';
import { patient, type Stage, startReceiver } from './stage.ts';
import { type Tally, tally, untilDelivered } from './tally.ts';

/** What the rate and the memory are held against. */
const few = 10_000;
const oneCommit = 50_000;
const endpoints = 100;
const patienceMs = 900_000;

interface Drain extends Tally {
  perSecond: number;
  /** The most that either worker took, in MiB. */
  memoryMiB: number;
}

/**
 * A million deliveries wait when two workers start. All of them are drained, not a part: the end of the backlog, where
 * finished rows outnumber the waiting ones a thousand times, is where a queue in a table goes wrong.
 */
export async function manyWaiting(stage: Stage, { waiting }: { waiting: number }): Promise<Outcome> {
  const before = await drain(stage, Math.min(few, waiting));
  const { perSecond, memoryMiB, counts } = await drain(stage, waiting);
  return {
    scenario: `${waiting.toLocaleString('en')} rows waiting for two workers`,
    ...counts,
    duplicates: { most: 0, because: 'claims never overlap' },
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
  for (let owed = 0; owed < waiting; owed += oneCommit) {
    await producer.owe(Math.min(oneCommit, waiting - owed));
  }
  await refreshStatistics(stage.database);
  const workers = await Promise.all([stage.startServer('worker', patient), stage.startServer('worker', patient)]);
  await untilDelivered(stage, [producer.merchantId], { patienceMs });
  const memoryMiB = Math.max(...workers.map(({ pid }) => peakMemoryMiB(pid)));
  const told = await tally(stage, { receiver, producers: [producer] });
  for (const worker of workers) await worker.kill();
  await receiver.stop();
  return { ...told, perSecond: told.counts.received / told.seconds, memoryMiB };
}
