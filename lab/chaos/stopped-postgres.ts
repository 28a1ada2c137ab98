import { setTimeout as sleep } from 'node:timers/promises';
import { claimedByAny, createClaimRecord, waitUntilAnswered } from './claims.ts';
import { comparePayments, wrongPayments } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import { startFollower } from './follower.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { newProducer } from './producer.ts';
import { compareRefunds, endRefunds } from './refunds.ts';
import type { Server } from './server.ts';
import { newMerchant, type Stage, startReceiver } from './stage.ts';
import { tally, waitUntilDelivered } from './tally.ts';

/** A lease is longer than an outage, so that workers can still record deliveries that they sent during the outage. */
const longerLeaseMs = 10_000;

export interface Scale {
  /** With 0 workers, a single process is both API and worker. */
  workers: number;
  deliveries: number;
  outages: number;
  awayMs: number;
  loadMs: number;
}

export async function stoppedPostgres(stage: Stage, scale: Scale): Promise<Outcome> {
  const { deliveries, outages, awayMs, loadMs } = scale;
  const env = { DELIVERY_LEASE_MS: String(longerLeaseMs), DELIVERY_TIMEOUT_MS: '4000' };
  const [receiver, api, ...workers] = await Promise.all([
    startReceiver(stage, { delayMs: 20 }),
    stage.startServer(scale.workers === 0 ? 'all' : 'api', env),
    ...Array.from({ length: scale.workers }, () => stage.startServer('worker', env)),
  ]);
  const url = `${receiver.greeting}/webhooks`;
  const producer = await newProducer(stage, { url, endpoints: 20 });
  const shop = await newMerchant(stage);
  await registerEndpoints(stage, shop.id, { url, count: 1 });
  const merchantIds = [producer.merchantId, shop.id];
  const payers = startPayers(stage, api, shop);
  const followers = [startFollower(stage, api, shop), startFollower(stage, api, { ...shop, only: 'refund.success' })];
  const queueing = producer.keepQueueing();
  const claimed = createClaimRecord();
  const recoveries: number[] = [];
  for (let outage = 0; outage < outages; outage++) {
    await payers.waitForPayments();
    await sleep(loadMs);
    const { ways } = stage.postgres;
    const before = await takeAway(stage, ways[outage % ways.length] ?? '', {
      senders: workers.length > 0 ? workers : [api],
      begin: () => producer.queueEvents(Math.ceil(deliveries / outages)),
      isPaying: () => payers.underWay() > 0,
    });
    await sleep(awayMs);
    await stage.postgres.comeBack();
    claimed.add([...new Set([...before, ...(await claimedByAny(stage))])]);
    recoveries.push(await waitUntilDelivered(stage, merchantIds, { queuedBefore: new Date() }));
    await stage.postgres.repair?.();
  }
  await payers.waitForPayments();
  await Promise.all([payers.stop(), queueing.stop()]);
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, merchantIds);

  const { counts } = await tally(stage, { receiver, producers: [producer, payers, payers.refunds], claimed });
  const followed = (await Promise.all(followers.map((follower) => follower.end()))).flat();
  const refunds = await compareRefunds(stage, payers.refunds);
  const compared = await comparePayments(stage.database, shop.id);
  const dead = [api, ...workers].filter((server) => !server.isAlive()).length;
  return {
    scenario: `Postgres away ${outages} times (${stage.postgres.ways.join(', ')}) while customers pay`,
    ...counts,
    recoveredSeconds: Math.max(...recoveries),
    recoversWithinSeconds: 15 + longerLeaseMs / 1000,
    notes: [
      `${compared.completed.length} payments completed, ${payers.committed.size} of them acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      `${producer.inDoubt.size} events of commits that failed or got no answer`,
      refunds.note,
    ],
    broken: [
      ...counts.broken,
      ...refunds.broken,
      ...followed,
      ...(payers.wrongStatuses.length > 0 ? [`calls were answered ${[...new Set(payers.wrongStatuses)]}`] : []),
      ...wrongPayments(compared, payers.committed),
      ...(dead > 0 ? [`${dead} processes ended`] : []),
    ],
  };
}

interface Fault {
  senders: readonly Server[];
  begin(): Promise<void>;
  isPaying(): boolean;
}

const maxTries = 50;
/** Interruptions that lose the latest claims, because the commit of a claim does not wait for the disk. */
const losesClaims = ['kill', 'pause'];

/**
 * A killed Postgres may lose its latest claims. Therefore the claiming processes are frozen before the claims are read,
 * and thawed only when the last connection has ended.
 */
async function takeAway(stage: Stage, way: string, { senders, begin, isPaying }: Fault): Promise<string[]> {
  const frozen = losesClaims.includes(way) ? senders : [];
  for (let tries = 0; tries < maxTries; tries++) {
    await begin();
    await sleep(100);
    for (const sender of frozen) sender.freeze();
    await waitUntilAnswered(stage, frozen);
    const claimed = await claimedByAny(stage);
    const isUnderWay = claimed.length > 0 && isPaying();
    if (isUnderWay) {
      const connections = frozen.length > 0 ? await connectionsOf(stage) : [];
      await stage.postgres.goAway(way);
      await waitUntilEnded(connections);
    }
    for (const sender of frozen) sender.thaw();
    if (isUnderWay) return claimed;
  }
  throw new Error(`No work was in flight in ${maxTries} tries, so an outage would prove nothing.`);
}

async function connectionsOf({ database }: Stage): Promise<number[]> {
  const { rows } = await database.query('select pid from pg_stat_activity');
  return rows.map(({ pid }) => pid);
}

/** An ended process without a parent keeps its id, so the wait has a time limit. */
async function waitUntilEnded(processIds: readonly number[], patienceMs = 2000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (processIds.some(isRunning) && performance.now() < deadline) await sleep(1);
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
