import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgresPrograms } from '../support/programs/installed-postgres.ts';
import { runTillhook } from '../support/server/command.ts';
import type { Backup } from './backups.ts';
import { createClaimRecord } from './claims.ts';
import { comparePayments, findEvents } from './delivery-rows.ts';
import { migrateWith } from './earlier-release.ts';
import { registerEndpoints } from './endpoints.ts';
import {
  createCluster,
  type InstalledCluster,
  openWorkshop,
  startCluster,
  type Workshop,
} from './installed-cluster.ts';
import type { Ending } from './outcome.ts';
import { failedCalls, startPayers } from './payments.ts';
import { newProducer, type Producer, type ProducerRecord } from './producer.ts';
import { compareRefunds, endRefunds, type Refunds } from './refunds.ts';
import { listEventIds, readFeed, readOrder, refusesAfter } from './restored-events.ts';
import { newMerchant, type Stage, startReceiver } from './stage.ts';
import { findForgotten, tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  /** Deliveries that are queued just before the moment of the backup, so that some are claimed and others wait. */
  deliveries: number;
  /** How long the load goes on before the backup, after it, and after the restore. */
  loadMs: number;
}

const load = { payers: 4, everyMs: 100 };
/** So low that the limits of calls, which are on after the restore, refuse none. */
const lowLoad = { payers: 2, everyMs: 1000, prefix: 'later-order' };
/** Long enough for a slow machine: a delivery that is claimed in the backup is sent when its lease has ended. */
const leaseMs = 15_000;
const env = { DELIVERY_LEASE_MS: String(leaseMs), DELIVERY_TIMEOUT_MS: '5000' };

/**
 * Postgres is backed up under load. Later the machine is lost with all that was written after that moment, and the backup
 * is restored as the page on operations says. Everything that was acknowledged before the moment must be there, and only
 * what was pending in the backup may be sent again.
 * See docs/decisions/tests.md, "A restore is judged by what was acknowledged before its moment".
 */
export async function restore(
  shared: Stage,
  makeBackup: (workshop: Workshop) => Backup,
  scale: Scale,
): Promise<Ending> {
  const scenario = 'backup under load, restored elsewhere';
  const programs = findPostgresPrograms();
  if (!programs) return { scenario, notRun: 'there is no pg_dump: install Postgres, or set POSTGRES_BIN' };
  const workshop = openWorkshop(shared.running, programs);
  const backup = makeBackup(workshop);
  const receiver = await startReceiver(shared, { delayMs: 20 });
  const url = `${receiver.greeting}/webhooks`;
  const before = await playBefore(shared, { workshop, backup, url, scale });
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
    duplicates: { most: pending.length, because: 'pending in the backup' },
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
      ...(await wrongPayments(stage, before)),
      ...after.broken,
      ...(pending.length === 0 ? ['nothing was pending in the backup, so nothing was proven about it'] : []),
      ...(before.lateCount === 0 ? ['nothing was acknowledged after the moment of the backup'] : []),
      ...(after.order.shift > 0 === backup.isOtherCluster ? [] : [`positions were shifted by ${after.order.shift}`]),
      ...(after.order.withoutDay > 0 ? [`${after.order.withoutDay} events are in no partition of a day`] : []),
    ],
  };
}

interface Before {
  shop: { id: string; key: string };
  producer: Producer;
  /** What was acknowledged before the moment. All else is in doubt: the backup may hold it. */
  producers: ProducerRecord[];
  refunds: Refunds;
  acknowledged: number;
  /** The number of acknowledgements after the moment. */
  lateCount: number;
  /** What a reader of the feed got before the moment, and until the loss. */
  readBefore: string[];
  readLate: string[];
  seconds: number;
}

interface Setting {
  workshop: Workshop;
  backup: Backup;
  url: string;
  scale: Scale;
}

/** The load, the backup, more load, and the loss of all processes and of Postgres. */
async function playBefore(shared: Stage, { workshop, backup, url, scale }: Setting): Promise<Before> {
  const source = await openSource(shared, { workshop, backup });
  const stage = shared.on(source.url);
  const [api, worker] = await Promise.all([stage.startServer('api', env), stage.startServer('worker', env)]);
  const producer = await newProducer(stage, { url, endpoints: 20 });
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url, count: 1 });
  const payers = startPayers(stage, api, { ...shop, ...load });
  const queueing = producer.keepQueueing();
  await backup.prepare(source);
  await payers.waitForPayments();
  await sleep(scale.loadMs);
  const readBefore = await readFeed({ url: api.url, key: shop.key });

  await producer.queueEvents(scale.deliveries);
  const all = [producer, payers, payers.refunds];
  const records = all.map((record) => ({ ...record, committed: new Set(record.committed) }));
  const startedAtMs = performance.now();
  await backup.take(source);
  const seconds = (performance.now() - startedAtMs) / 1000;
  await payers.waitForPayments();
  await sleep(scale.loadMs);
  const readLate = await readFeed({ url: api.url, key: shop.key }, readBefore.at(-1));
  await Promise.all([api.kill(), worker.kill()]);
  await source.stop();
  await Promise.all([payers.stop(), queueing.stop()]);

  const count = (of: readonly ProducerRecord[]) => of.reduce((sum, { committed }) => sum + committed.size, 0);
  const acknowledged = count(records);
  const lateCount = count(all) - acknowledged;
  const producers = records.map((record, index) => withDoubts(record, all[index] ?? record));
  const refunds = { ...payers.refunds, ...producers[2] };
  return { shop, producer, producers, refunds, acknowledged, lateCount, readBefore, readLate, seconds };
}

/** What was acknowledged after the moment of the backup is in doubt: the backup may hold it. */
function withDoubts({ merchantId, committed }: ProducerRecord, atTheEnd: ProducerRecord): ProducerRecord {
  const later = [...atTheEnd.committed].filter((reference) => !committed.has(reference));
  return { merchantId, committed, inDoubt: new Set([...atTheEnd.inDoubt, ...later]) };
}

async function openSource(
  { running, masterKeys }: Stage,
  { workshop, backup }: { workshop: Workshop; backup: Backup },
): Promise<InstalledCluster> {
  await createCluster(workshop, 'source');
  const source = await startCluster(running, workshop, { name: 'source', settings: backup.settings });
  await migrateWith(source.url, masterKeys);
  return source;
}

/** The deliveries that are not ended in the backup, claimed ones included. */
async function listPending({ database }: Stage): Promise<string[]> {
  const { rows } = await database.query('select delivery_id as id from owed_delivery');
  return rows.map(({ id }) => id);
}

/** The steps of the page on operations before the processes start. Returns what went otherwise than it says. */
async function followGuide(stage: Stage, { backup, shopId }: { backup: Backup; shopId: string }): Promise<string[]> {
  const tillhook = (masterKeys: string, ...args: string[]) =>
    runTillhook({ DATABASE_URL: stage.databaseUrl, MASTER_KEYS: masterKeys }, ...args);
  const early = backup.isOtherCluster ? await stage.startServer('api', env).catch((error: Error) => error) : null;
  await migrateWith(stage.databaseUrl, stage.masterKeys);
  const otherKeys = `other:${Buffer.alloc(32).toString('base64')}`;
  const [ledger, withOther, withOurs] = [
    await tillhook(stage.masterKeys, 'ledger', 'check', '--merchant', shopId),
    await tillhook(otherKeys, 'secrets', 'reencrypt', '--dry-run'),
    await tillhook(stage.masterKeys, 'secrets', 'reencrypt', '--dry-run'),
  ];
  const refusedStart = early === null || ('message' in early && early.message.includes('restored in another cluster'));
  return [
    ...(refusedStart ? [] : ['a server started before db:migrate in another cluster']),
    ...(ledger.code === 0 ? [] : [`tillhook ledger check ended with ${ledger.code}: ${ledger.stdout}`]),
    ...(withOther.code === 1 && `${withOther.stdout}${withOther.stderr}`.includes('The key chaos is missing')
      ? []
      : [`other master keys were not noticed: ${withOther.stdout}${withOther.stderr}`]),
    ...(withOurs.code === 0 ? [] : [`the master keys open not all secrets: ${withOurs.stdout}`]),
  ];
}

/** The restored service sends what was pending, and takes payments again. */
async function playAfter(stage: Stage, { before, url }: { before: Before; url: string }) {
  const { shop } = before;
  const restored = await listEventIds(stage.database, shop.id);
  const startedAt = new Date();
  const withLimits = { ...env, RATE_LIMITS: 'on' };
  const [api] = await Promise.all([stage.startServer('api', withLimits), stage.startServer('worker', withLimits)]);
  const merchantIds = [before.producer.merchantId, shop.id];
  const recoveredSeconds = await waitUntilDelivered(stage, merchantIds, { queuedBefore: startedAt });
  const producer = await newProducer(stage, { url, endpoints: 20 });
  const payers = startPayers(stage, api, { ...shop, ...lowLoad });
  await producer.queueEvents(100);
  await payers.waitForPayments();
  await payers.stop();
  for (const reference of payers.refunds.committed) before.refunds.committed.add(reference);
  await endRefunds(stage, before.refunds);
  await waitUntilDelivered(stage, [...merchantIds, producer.merchantId]);

  const reader = { url: api.url, key: shop.key };
  const known = new Set(restored);
  const [lastKnown, lost] = [before.readBefore.at(-1), before.readLate.findLast((id) => !known.has(id))];
  const feed = [await readFeed(reader), await readFeed(reader, lastKnown)] as const;
  const events = await listEventIds(stage.database, shop.id);
  const [earlier, later] = [feed[0].slice(0, restored.length), feed[0].slice(restored.length)];
  const { rows } = await stage.database.query('select count(*)::int as count from rate_limit');
  return {
    ...{ producer, payers, recoveredSeconds },
    order: await readOrder(stage),
    broken: [
      ...failedCalls(payers),
      ...(isSameSet(feed[0], events) ? [] : ['a reader of the feed does not get each event once']),
      ...(isSameSet(earlier, restored) ? [] : ['new events are not after all restored ones']),
      ...(later.length === 0 ? ['there was no event after the restore'] : []),
      ...(feed[0].slice(feed[0].length - feed[1].length).join() === feed[1].join() &&
      feed[0].at(-feed[1].length - 1) === lastKnown
        ? []
        : ['a reader that goes on after its last event misses events']),
      ...(lost === undefined || (await refusesAfter(reader, lost)) ? [] : ['a lost event is taken for a known one']),
      ...(rows[0].count > 0 ? [] : ['no call was counted against the limits']),
    ],
  };
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** Events that were acknowledged before the moment, and that the backup does not hold. */
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

async function wrongPayments({ database }: Stage, { shop, producers }: Before): Promise<string[]> {
  const books = await comparePayments(database, shop.id);
  const completed = new Set(books.completed);
  const lost = [...(producers[1]?.committed ?? [])].filter((reference) => !completed.has(reference)).length;
  return [
    ...(lost > 0 ? [`${lost} payments that were acknowledged before the backup did not complete`] : []),
    ...(books.withoutEvent > 0 ? [`${books.withoutEvent} completed payments without their event`] : []),
    ...(books.withoutPayment > 0 ? [`${books.withoutPayment} events of payments that did not complete`] : []),
  ];
}
