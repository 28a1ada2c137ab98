import { owe } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import type { Outcome } from './outcome.ts';
import { newMerchant, patient, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

/** Two workers that race for every claim, and nothing goes wrong: each delivery is received exactly once. */
export async function twoWorkers(stage: Stage, { deliveries }: { deliveries: number }): Promise<Outcome> {
  const [receiver] = await Promise.all([
    startReceiver(stage),
    stage.startServer('worker', patient),
    stage.startServer('worker', patient),
  ]);
  const { id } = await newMerchant(stage);
  const endpointIds = await registerEndpoints(stage, id, { url: `${receiver.greeting}/webhooks`, count: 20 });
  const commits = 10;
  for (let commit = 0; commit < commits; commit++) {
    await owe(stage.database, endpointIds, Math.ceil(deliveries / commits));
  }
  await untilDelivered(stage, [id]);
  const { counts } = await tally(stage, { receiver, merchantIds: [id] });
  return {
    scenario: 'two workers at once, no fault',
    ...counts,
    duplicates: { most: 0, because: 'claims never overlap' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [],
  };
}
