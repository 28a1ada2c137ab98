import { setTimeout as sleep } from 'node:timers/promises';
import { claimedBy, createClaimRecord, recordLeaseHolders, waitUntilAnswered } from './claims.ts';
import { comparePayments, wrongPayments } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import { killAtWork } from './kill-at-work.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { compareRefunds, endRefunds } from './refunds.ts';
import { newMerchant, type Stage, startReceiver, withLongLease } from './stage.ts';
import { tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  kills: number;
  loadMs: number;
}

/** The API sends deliveries directly after a commit, so a delivery that it leases at a kill may be sent twice. */
export async function killedApi(stage: Stage, { kills, loadMs }: Scale): Promise<Outcome> {
  await recordLeaseHolders(stage);
  const [receiver, api] = await Promise.all([
    startReceiver(stage),
    // With this timeout, a lease lasts 15 seconds, so that a slow machine does not cause a second attempt.
    stage.startServer('api', { ...withLongLease, DELIVERY_TIMEOUT_MS: '7500' }),
    // The worker is not killed, so the worker must not send any delivery twice.
    stage.startServer('worker', withLongLease),
  ]);
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url: `${receiver.greeting}/webhooks`, count: 1 });
  const payers = startPayers(stage, api, shop);
  const claimed = createClaimRecord();

  async function isUnderWay(): Promise<boolean> {
    if (payers.underWay() === 0) return false;
    await waitUntilAnswered(stage, [api]);
    claimed.add(await claimedBy(stage, api));
    return true;
  }

  for (let kill = 0; kill < kills; kill++) {
    await payers.waitForPayments();
    await killAtWork([api], { begin: () => sleep(loadMs), isUnderWay });
    await api.restart();
  }
  const restartedAtMs = performance.now();
  await payers.waitForPayments();
  const recoveredSeconds = (performance.now() - restartedAtMs) / 1000;
  await payers.stop();
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, [shop.id]);

  const { counts } = await tally(stage, { receiver, producers: [payers, payers.refunds], claimed });
  const refunds = await compareRefunds(stage, payers.refunds);
  const compared = await comparePayments(stage.database, shop.id);
  return {
    scenario: `kill −9 of the API, ${kills} times, while customers pay`,
    ...counts,
    recoveredSeconds,
    recoversWithinSeconds: 10,
    notes: [
      `${compared.completed.length} payments completed, ${payers.committed.size} of them acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      refunds.note,
    ],
    broken: [...counts.broken, ...refunds.broken, ...wrongPayments(compared, payers.committed)],
  };
}
