import type { Outcome } from './outcome.ts';
import { newProducer } from './producer.ts';
import { type Stage, startReceiver, withLongLease } from './stage.ts';
import { tally, waitUntilDelivered } from './tally.ts';

export async function twoWorkers(stage: Stage, { deliveries }: { deliveries: number }): Promise<Outcome> {
  const [receiver] = await Promise.all([
    startReceiver(stage),
    stage.startServer('worker', withLongLease),
    stage.startServer('worker', withLongLease),
  ]);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: 20 });
  const commits = 10;
  for (let commit = 0; commit < commits; commit++) {
    await producer.queueEvents(Math.ceil(deliveries / commits));
  }
  await waitUntilDelivered(stage, [producer.merchantId]);
  const { counts } = await tally(stage, { receiver, producers: [producer] });
  return {
    scenario: 'two workers at once, no fault',
    ...counts,
    duplicates: { max: 0, because: 'claims never overlap' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [],
  };
}
