import { setTimeout as sleep } from 'node:timers/promises';
import { comparePayments, owe } from './delivery-rows.ts';
import { registerEndpoints } from './endpoints.ts';
import { duplicatesAfter } from './killed-workers.ts';
import type { Outcome } from './outcome.ts';
import { startPayers } from './payments.ts';
import { newMerchant, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

/** Longer than Postgres is away, or every result that workers kept for it comes too late. A claim whose answer was lost waits so long. */
const longerLeaseMs = 10_000;

interface Scale {
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
  const [rows, shop] = [await newMerchant(stage), await newMerchant(stage)];
  const endpointIds = await registerEndpoints(stage, rows.id, { url, count: 20 });
  await registerEndpoints(stage, shop.id, { url, count: 1 });
  const merchantIds = [rows.id, shop.id];
  const payers = startPayers(api, shop.key);
  const recoveries: number[] = [];
  for (let outage = 0; outage < outages; outage++) {
    await payers.areAtWork();
    await sleep(loadMs);
    await owe(stage.database, endpointIds, Math.ceil(deliveries / outages));
    await sleep(100);
    const { ways } = stage.postgres;
    await stage.postgres.leave(ways[outage % ways.length] ?? '');
    await sleep(awayMs);
    await stage.postgres.comeBack();
    recoveries.push(await untilDelivered(stage, merchantIds, { owedBefore: new Date() }));
  }
  await payers.areAtWork();
  await payers.stop();
  await untilDelivered(stage, merchantIds);

  const { counts } = await tally(stage, { receiver, merchantIds });
  const books = await comparePayments(stage.database, shop.id);
  const completed = new Set(books.completed);
  const forgotten = payers.acknowledged.filter((reference) => !completed.has(reference)).length;
  const dead = [api, ...workers].filter((server) => !server.isAlive()).length;
  return {
    scenario: `Postgres away ${outages} times (${stage.postgres.ways.join(', ')}) while customers pay`,
    ...counts,
    duplicates: duplicatesAfter(stage, outages * Math.max(1, workers.length)),
    recoveredSeconds: Math.max(...recoveries),
    recoversWithinSeconds: 15 + longerLeaseMs / 1000,
    notes: [
      `${completed.size} payments completed, ${payers.acknowledged.length} of them acknowledged; ${payers.refused()} refused`,
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
