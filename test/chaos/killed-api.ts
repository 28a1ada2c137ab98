import { setTimeout as sleep } from 'node:timers/promises';
import { comparePayments } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import { killAtWork } from './kill-at-work.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { compareRefunds, endRefunds } from './refunds.ts';
import { newMerchant, type Stage, startReceiver, withLongLease } from './stage.ts';
import { tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  kills: number;
  /** How long customers pay before each kill. */
  loadMs: number;
}

/**
 * Kill −9 of the API while customers pay and are refunded. Each completed payment and refund must have an event, and no
 * other one may have one.
 */
export async function killedApi(stage: Stage, { kills, loadMs }: Scale): Promise<Outcome> {
  const [receiver, api] = await Promise.all([
    startReceiver(stage),
    stage.startServer('api'),
    // The worker is not killed, so nothing may be sent twice.
    stage.startServer('worker', withLongLease),
  ]);
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url: `${receiver.greeting}/webhooks`, count: 1 });
  const payers = startPayers(stage, api, shop);
  for (let kill = 0; kill < kills; kill++) {
    await payers.waitForPayments();
    await killAtWork([api], { begin: () => sleep(loadMs), isUnderWay: async () => payers.underWay() > 0 });
    await api.restart();
  }
  const restartedAtMs = performance.now();
  await payers.waitForPayments();
  const recoveredSeconds = (performance.now() - restartedAtMs) / 1000;
  await payers.stop();
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, [shop.id]);

  const { counts } = await tally(stage, { receiver, producers: [payers, payers.refunds] });
  const refunds = await compareRefunds(stage, payers.refunds);
  const { completed, withoutEvent, withoutPayment } = await comparePayments(stage.database, shop.id);
  const lostPayments = [...payers.committed].filter((reference) => !completed.includes(reference)).length;
  return {
    scenario: `kill −9 of the API, ${kills} times, while customers pay`,
    ...counts,
    duplicates: { most: 0, because: 'the worker is not killed' },
    recoveredSeconds,
    recoversWithinSeconds: 10,
    notes: [
      `${completed.length} payments completed, ${payers.committed.size} of them acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      refunds.note,
    ],
    broken: [
      ...counts.broken,
      ...refunds.broken,
      ...(lostPayments > 0 ? [`${lostPayments} acknowledged payments did not complete`] : []),
      ...(withoutEvent > 0 ? [`${withoutEvent} completed payments without their event`] : []),
      ...(withoutPayment > 0 ? [`${withoutPayment} events of payments that did not complete`] : []),
    ],
  };
}
