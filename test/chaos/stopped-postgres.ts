import { setTimeout as sleep } from 'node:timers/promises';
import { claimedByAny, noClaims, untilAnswered } from './claims.ts';
import { comparePayments } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { newProducer } from './producer.ts';
import type { Server } from './server.ts';
import { newMerchant, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

/** Longer than Postgres is away, or every result that workers kept for it comes too late. A claim whose answer was lost waits so long. */
const longerLeaseMs = 10_000;

export interface Scale {
  /** None is one process that does both. */
  workers: number;
  deliveries: number;
  /** Each with the database away for so long, and with load before and after it. */
  outages: number;
  awayMs: number;
  loadMs: number;
}

/**
 * Postgres goes away and comes back while customers pay and workers deliver. Nothing but Postgres is started again. The
 * store of the schedule is there too, so it goes with it.
 */
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
  const owing = producer.keepOwing();
  const claimed = noClaims();
  const recoveries: number[] = [];
  for (let outage = 0; outage < outages; outage++) {
    await payers.areAtWork();
    await sleep(loadMs);
    const { ways } = stage.postgres;
    const before = await takeAway(stage, ways[outage % ways.length] ?? '', {
      senders: workers.length > 0 ? workers : [api],
      begin: () => producer.owe(Math.ceil(deliveries / outages)),
    });
    await sleep(awayMs);
    await stage.postgres.comeBack();
    claimed.add([...new Set([...before, ...(await claimedByAny(stage))])]);
    recoveries.push(await untilDelivered(stage, merchantIds, { owedBefore: new Date() }));
  }
  await payers.areAtWork();
  await Promise.all([payers.stop(), owing.stop()]);
  await untilDelivered(stage, merchantIds);

  const { counts } = await tally(stage, { receiver, producers: [producer, payers], claimed });
  const books = await comparePayments(stage.database, shop.id);
  const completed = new Set(books.completed);
  const forgotten = [...payers.committed].filter((reference) => !completed.has(reference)).length;
  const dead = [api, ...workers].filter((server) => !server.isAlive()).length;
  return {
    scenario: `Postgres away ${outages} times (${stage.postgres.ways.join(', ')}) while customers pay`,
    ...counts,
    recoveredSeconds: Math.max(...recoveries),
    recoversWithinSeconds: 15 + longerLeaseMs / 1000,
    notes: [
      `${completed.size} payments completed, ${payers.committed.size} of them acknowledged; ${payers.inDoubt.size} refused or unanswered`,
      `${producer.inDoubt.size} events of commits that failed or got no answer`,
    ],
    broken: [
      ...counts.broken,
      ...(forgotten > 0 ? [`${forgotten} acknowledged payments did not complete`] : []),
      ...(books.untold > 0 ? [`${books.untold} completed payments without their event`] : []),
      ...(books.untrue > 0 ? [`${books.untrue} events of payments that did not complete`] : []),
      ...(dead > 0 ? [`${dead} processes ended`] : []),
    ],
  };
}

interface Fault {
  senders: readonly Server[];
  begin(): Promise<void>;
}

const mostTries = 50;

/**
 * Takes Postgres away while deliveries are in flight, and returns what was claimed then. A Postgres that is killed may forget
 * the claims of its last moments, so the processes that claim stand still from the look at the claims until its last
 * connection has ended: a connection outlives the first process for a moment, and claims through it are forgotten too.
 */
async function takeAway(stage: Stage, way: string, { senders, begin }: Fault): Promise<string[]> {
  const frozen = way === 'kill' ? senders : [];
  for (let tries = 0; tries < mostTries; tries++) {
    await begin();
    await sleep(100);
    for (const sender of frozen) sender.freeze();
    await untilAnswered(stage, frozen);
    const claimed = await claimedByAny(stage);
    if (claimed.length > 0) {
      const connections = frozen.length > 0 ? await connectionsOf(stage) : [];
      await stage.postgres.leave(way);
      await untilEnded(connections);
    }
    for (const sender of frozen) sender.thaw();
    if (claimed.length > 0) return claimed;
  }
  throw new Error(`${mostTries} tries found nothing in flight, so no outage would prove anything.`);
}

/** The ids of the processes that serve connections. */
async function connectionsOf({ database }: Stage): Promise<number[]> {
  const { rows } = await database.query('select pid from pg_stat_activity');
  return rows.map(({ pid }) => pid);
}

/** Or until the patience is over, because one that ended and that nobody waited for still has its id. */
async function untilEnded(processIds: readonly number[], patienceMs = 2000): Promise<void> {
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
