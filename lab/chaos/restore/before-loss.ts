import { setTimeout as sleep } from 'node:timers/promises';
import { migrateWith } from '../earlier-release.ts';
import { registerEndpoints } from '../endpoints.ts';
import { startPayers } from '../payments.ts';
import { newProducer, type Producer, type ProducerRecord } from '../producer.ts';
import type { Refunds } from '../refunds.ts';
import { newMerchant, type Stage } from '../stage.ts';
import type { Backup } from './backups.ts';
import { createCluster, type InstalledCluster, type PostgresFolder, startCluster } from './installed-cluster.ts';
import { readFeed } from './restored-events.ts';

export interface Scale {
  /** Deliveries queued just before the restore point: some are claimed in the backup, and some are not. */
  deliveries: number;
  loadMs: number;
}

const load = { payers: 4, everyMs: 100 };
/** A delivery that is claimed in the backup is sent when its lease has ended. */
export const leaseMs = 15_000;
export const env = { DELIVERY_LEASE_MS: String(leaseMs), DELIVERY_TIMEOUT_MS: '5000' };

export interface Before {
  shop: { id: string; key: string };
  producer: Producer;
  /** Acknowledgements after the restore point are in doubt, because the backup may contain some of their commits. */
  producers: ProducerRecord[];
  paid: ReadonlySet<string>;
  refunds: Refunds;
  acknowledged: number;
  lateCount: number;
  readBefore: string[];
  readLate: string[];
  seconds: number;
}

interface Setting {
  folder: PostgresFolder;
  backup: Backup;
  url: string;
  scale: Scale;
}

export async function playBefore(shared: Stage, { folder, backup, url, scale }: Setting): Promise<Before> {
  const source = await openSource(shared, { folder, backup });
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
  const paid = producers[1]?.committed ?? new Set<string>();
  return { shop, producer, producers, paid, refunds, acknowledged, lateCount, readBefore, readLate, seconds };
}

function withDoubts({ merchantId, committed }: ProducerRecord, atTheEnd: ProducerRecord): ProducerRecord {
  const later = [...atTheEnd.committed].filter((reference) => !committed.has(reference));
  return { merchantId, committed, inDoubt: new Set([...atTheEnd.inDoubt, ...later]) };
}

async function openSource(
  { running, masterKeys }: Stage,
  { folder, backup }: { folder: PostgresFolder; backup: Backup },
): Promise<InstalledCluster> {
  await createCluster(folder, 'source');
  const source = await startCluster(running, folder, { name: 'source', settings: backup.settings });
  await migrateWith(source.url, masterKeys);
  return source;
}
