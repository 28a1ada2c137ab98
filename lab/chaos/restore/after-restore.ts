import { spawnCommand } from '@tillhook/test/support/server/command.ts';
import { migrateWith } from '../earlier-release.ts';
import { failedCalls, startPayers } from '../payments.ts';
import { newProducer } from '../producer.ts';
import { endRefunds } from '../refunds.ts';
import type { Stage } from '../stage.ts';
import { waitUntilDelivered } from '../tally.ts';
import type { Backup } from './backups.ts';
import { type Before, env } from './before-loss.ts';
import { listEventIds, readFeed, readOrder, refusesAfter } from './restored-events.ts';

/** The load is so low that the rate limits, which are on after the restore, refuse no call. */
const lowLoad = { payers: 2, everyMs: 1000, prefix: 'later-order' };

export async function followGuide(
  stage: Stage,
  { backup, shopId }: { backup: Backup; shopId: string },
): Promise<string[]> {
  const tillhook = (masterKeys: string, ...args: string[]) =>
    spawnCommand({ DATABASE_URL: stage.databaseUrl, MASTER_KEYS: masterKeys }, ...args).ended;
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

export async function playAfter(stage: Stage, { before, url }: { before: Before; url: string }) {
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
