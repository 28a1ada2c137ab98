import { findPostgresPrograms } from '@tillhook/test/support/programs/installed-programs.ts';
import { createClaimRecord } from '../claims.ts';
import { comparePayments, findEvents, wrongPayments } from '../delivery-rows.ts';
import type { Ending } from '../outcome.ts';
import type { ProducerRecord } from '../producer.ts';
import { compareRefunds } from '../refunds.ts';
import { type Stage, startReceiver } from '../stage.ts';
import { findForgotten, tally } from '../tally.ts';
import { followGuide, playAfter } from './after-restore.ts';
import type { Backup } from './backups.ts';
import { leaseMs, playBefore, type Scale } from './before-loss.ts';
import { openPostgresFolder, type PostgresFolder } from './installed-cluster.ts';

const wanted = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'pg_basebackup'];

/**
 * All payments, refunds and events that were acknowledged before the restore point must be in the restored database.
 * Only deliveries that were pending in the backup may be sent again.
 * See docs/decisions/tests.md, "A restore is judged by what was acknowledged before its moment".
 */
export async function restore(
  shared: Stage,
  makeBackup: (folder: PostgresFolder) => Backup,
  scale: Scale,
): Promise<Ending> {
  const scenario = 'backup under load, restored elsewhere';
  const programs = findPostgresPrograms(wanted);
  if (!programs) return { scenario, notRun: 'there is no pg_dump: install Postgres, or set POSTGRES_BIN' };
  const folder = openPostgresFolder(shared.running, programs);
  const backup = makeBackup(folder);
  const receiver = await startReceiver(shared, { delayMs: 20 });
  const url = `${receiver.greeting}/webhooks`;
  const before = await playBefore(shared, { folder, backup, url, scale });
  const restoringAtMs = performance.now();
  const cluster = await backup.restore(shared.running);
  const restoredSeconds = (performance.now() - restoringAtMs) / 1000;
  const stage = shared.on(cluster.url);
  const merchantIds = [before.producer.merchantId, before.shop.id];
  const forgotten = await findForgotten(stage, receiver, merchantIds);
  const pending = await listPending(stage);
  const claimed = createClaimRecord();
  claimed.add(pending);
  const wrongStart = await followGuide(stage, { backup, shopId: before.shop.id });
  const after = await playAfter(stage, { before, url });

  const producers = [...before.producers, after.producer, after.payers];
  const { counts } = await tally(stage, { receiver, producers, claimed, forgotten });
  const refunds = await compareRefunds(stage, before.refunds);
  return {
    scenario: `${backup.name} under load, restored elsewhere`,
    ...counts,
    duplicates: { max: pending.length, because: 'pending in the backup' },
    recoveredSeconds: after.recoveredSeconds,
    recoversWithinSeconds: 10 + leaseMs / 1000,
    notes: [
      `the backup took ${before.seconds.toFixed(1)} s under load, and the restore ${restoredSeconds.toFixed(1)} s`,
      `${before.acknowledged} payments, refunds and events were acknowledged before the moment of the backup, and ${before.lateCount} after it, which it cannot hold`,
      `${pending.length} deliveries were pending in the backup; ${forgotten.size} that were received before the loss are not in it`,
      `positions of events were shifted by ${after.order.shift}`,
      refunds.note,
    ],
    broken: [
      ...counts.broken,
      ...wrongStart,
      ...(await missing(stage, before.producers)),
      ...refunds.broken,
      ...wrongPayments(await comparePayments(stage.database, before.shop.id), before.paid),
      ...after.broken,
      ...(pending.length === 0 ? ['nothing was pending in the backup, so nothing was proven about it'] : []),
      ...(before.lateCount === 0 ? ['nothing was acknowledged after the moment of the backup'] : []),
      ...(after.order.shift > 0 === backup.isOtherCluster ? [] : [`positions were shifted by ${after.order.shift}`]),
      ...(after.order.withoutDay > 0 ? [`${after.order.withoutDay} events are in no partition of a day`] : []),
    ],
  };
}

async function listPending({ database }: Stage): Promise<string[]> {
  const { rows } = await database.query('select delivery_id as id from pending_delivery');
  return rows.map(({ id }) => id);
}

async function missing({ database }: Stage, producers: readonly ProducerRecord[]): Promise<string[]> {
  const lost = await Promise.all(
    producers.map(async ({ merchantId, committed }) => {
      const found = new Set(await findEvents(database, merchantId, committed));
      return [...committed].filter((reference) => !found.has(reference)).length;
    }),
  );
  const count = lost.reduce((sum, each) => sum + each, 0);
  return count > 0 ? [`${count} events that were acknowledged before the backup are missing`] : [];
}
