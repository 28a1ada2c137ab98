import type { Outcome } from './outcome.ts';
import { newProducer } from './producer.ts';
import { patient, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

/** Two workers that race for every claim, and nothing goes wrong: each delivery is received exactly once. */
export async function twoWorkers(stage: Stage, { deliveries }: { deliveries: number }): Promise<Outcome> {
  const [receiver] = await Promise.all([
    startReceiver(stage),
    stage.startServer('worker', patient),
    stage.startServer('worker', patient),
  ]);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: 20 });
  const commits = 10;
  for (let commit = 0; commit < commits; commit++) {
    await producer.owe(Math.ceil(deliveries / commits));
  }
  await untilDelivered(stage, [producer.merchantId]);
  const { counts } = await tally(stage, { receiver, producers: [producer] });
  return {
    scenario: 'two workers at once, no fault',
    ...counts,
    duplicates: { most: 0, because: 'claims never overlap' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [],
  };
}
