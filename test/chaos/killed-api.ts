import { setTimeout as sleep } from 'node:timers/promises';
import { comparePayments } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import { killAtWork } from './kill-at-work.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { newMerchant, patient, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

interface Scale {
  kills: number;
  /** Of paying before each kill. */
  loadMs: number;
}

/** Kill −9 of the API while customers pay: an event of each payment that completed, and of no other. */
export async function killedApi(stage: Stage, { kills, loadMs }: Scale): Promise<Outcome> {
  const [receiver, api] = await Promise.all([
    startReceiver(stage),
    stage.startServer('api'),
    // Nobody of these is killed, so nothing is sent twice.
    stage.startServer('worker', patient),
  ]);
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url: `${receiver.greeting}/webhooks`, count: 1 });
  const payers = startPayers(stage, api, shop);
  for (let kill = 0; kill < kills; kill++) {
    await payers.areAtWork();
    await killAtWork([api], { begin: () => sleep(loadMs), isUnderWay: async () => payers.underWay() > 0 });
    await api.restart();
  }
  const restartedAtMs = performance.now();
  await payers.areAtWork();
  const recoveredSeconds = (performance.now() - restartedAtMs) / 1000;
  await payers.stop();
  await untilDelivered(stage, [shop.id]);

  const { counts } = await tally(stage, { receiver, producers: [payers] });
  const { completed, untold, untrue } = await comparePayments(stage.database, shop.id);
  const forgotten = [...payers.committed].filter((reference) => !completed.includes(reference)).length;
  return {
    scenario: `kill −9 of the API, ${kills} times, while customers pay`,
    ...counts,
    duplicates: { most: 0, because: 'the worker lives on' },
    recoveredSeconds,
    recoversWithinSeconds: 10,
    notes: [
      `${completed.length} payments completed, ${payers.committed.size} of them acknowledged; ${payers.inDoubt.size} refused or unanswered`,
    ],
    broken: [
      ...counts.broken,
      ...(forgotten > 0 ? [`${forgotten} acknowledged payments did not complete`] : []),
      ...(untold > 0 ? [`${untold} completed payments without their event`] : []),
      ...(untrue > 0 ? [`${untrue} events of payments that did not complete`] : []),
    ],
  };
}
