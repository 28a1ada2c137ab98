import { loadConfig } from '@tillhook/server/src/config/config.ts';
import type { CoreContext } from '@tillhook/server/src/context.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import { claim, handBack } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { startReceiver } from '../../support/child.ts';
import { insertDueDeliveries } from '../../support/queued-deliveries.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { openStore, type Store } from '../store.ts';
import { registerAt } from './deliver.ts';
import { firstClaimOf } from './explain-claim.ts';
import { fillWithFinished } from './finished-rows.ts';

type Claimant = () => Promise<number>;

const endpoints = 20;
/** The first claim of a worker takes at most 256 deliveries. */
const cases = [
  { due: 1, name: 'one delivery' },
  { due: 256, name: '256 deliveries' },
];

const about = `Half of the claims take no longer. The worker’s own statement, over one connection, claims what is due for ${endpoints} endpoints; then
  it is handed back, which is not timed. Beside it the same in tables as they are after the migrations. Each side in turn.`;

export async function measureClaims(bench: Bench, finished: number): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const [month, fresh] = [await openStore(bench, 'month_of_rows'), await openStore(bench, 'fresh_tables')];
  const endpointIds = new Map<Store, string[]>();
  for (const store of [month, fresh])
    endpointIds.set(store, await registerAt({ database: store.database, sealer: bench.sealer }, receiver, endpoints));
  await fillWithFinished(month.database, endpointIds.get(month) ?? [], finished);
  const claimants = { tillhook: await openClaimant(bench, month), baseline: await openClaimant(bench, fresh) };
  const figures: Measured[] = [];
  for (const { due, name } of cases) {
    for (const [{ database }, ids] of endpointIds) {
      await database.query('truncate pending_delivery');
      await insertDueDeliveries(database, ids, due);
      await database.query('vacuum (analyze) event, delivery, pending_delivery');
    }
    const described = {
      name: `a claim of ${name}, with 38 daily partitions and ${finished.toLocaleString('en')} finished rows`,
      about,
      unit: 'µs',
      against: 'fresh tables',
      target: { of: 'ratio', atMost: 1.1 },
    } as const;
    figures.push(figureOf(described, await measureRounds(bench, claimants)));
  }
  await receiver.stop();
  return figures;
}

type Claimants = Record<'tillhook' | 'baseline', Claimant>;

async function measureRounds({ rounds, seconds }: Bench, claimants: Claimants): Promise<Round[]> {
  const results: Round[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const taken = await measureInTurns(claimants, seconds);
    if (round > 0) results.push(taken);
  }
  return results;
}

async function measureInTurns(claimants: Claimants, seconds: number): Promise<Round> {
  const times = { tillhook: [] as number[], baseline: [] as number[] };
  const endsAt = performance.now() + seconds * 1000;
  for (let count = 0; performance.now() < endsAt; count += 1) {
    for (const side of count % 2 === 0 ? (['baseline', 'tillhook'] as const) : (['tillhook', 'baseline'] as const))
      times[side].push(await claimants[side]());
  }
  return { tillhook: quantile(times.tillhook, 0.5) * 1000, baseline: quantile(times.baseline, 0.5) * 1000 };
}

async function openClaimant({ running }: Bench, { url }: Store): Promise<Claimant> {
  const config = loadConfig({ NODE_ENV: 'production' });
  const orm = await openOrm(reachDatabase(url), 1);
  running.defer(() => orm.close(true));
  // `claim` uses only the properties `config` and `em` of the context.
  const context = { config, em: orm.em.fork() } as unknown as CoreContext;
  const request = firstClaimOf(config);
  return async () => {
    const startedAt = performance.now();
    const { deliveries } = await inOwnStatement(context, (statement) => claim(statement, request));
    const tookMs = performance.now() - startedAt;
    if (deliveries.length === 0) throw new Error('The claim found no due delivery.');
    await inOwnStatement(context, (statement) => handBack(statement, deliveries, 0));
    return tookMs;
  };
}
