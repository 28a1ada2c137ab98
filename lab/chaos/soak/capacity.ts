import { setTimeout as sleep } from 'node:timers/promises';
import { type Payers, type Shop, startPayers } from '../payments.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const warmUpMs = 5000;
const measuredMs = 20_000;

/** Lets customers pay as fast as the service answers, and returns the number of payments per second. */
export async function measureCapacity(
  stage: Stage,
  api: Pick<Server, 'url'>,
  shop: Shop,
): Promise<{ perSecond: number; payers: Payers }> {
  const payers = startPayers(stage, api, shop);
  await payers.waitForPayments();
  await sleep(warmUpMs);
  const [before, startedAtMs] = [payers.committed.size, performance.now()];
  await sleep(measuredMs);
  const perSecond = ((payers.committed.size - before) * 1000) / (performance.now() - startedAtMs);
  await payers.stop();
  return { perSecond, payers };
}
