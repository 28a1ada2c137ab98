import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from './outcome.ts';
import { newProducer } from './producer.ts';
import { patient, type Stage, startReceiver } from './stage.ts';
import { tally, untilDelivered } from './tally.ts';

interface Scale {
  workers: number;
  deliveries: number;
  awayMs: number;
}

/**
 * The schedule's own store goes away under load and comes back. Rows are the truth and the store only says when to look, so
 * deliveries go on without it, retries included.
 */
export async function stoppedMongodb(stage: Stage, scale: Scale): Promise<Ending> {
  const { deliveries, awayMs } = scale;
  const scenario = 'MongoDB, the store of the schedule, away under load';
  if (typeof stage.startMongodb === 'string') return { scenario, notRun: stage.startMongodb };
  const mongodb = await stage.startMongodb();
  const env = { ...patient, MONGODB_URL: mongodb.url };
  const [receiver, ...workers] = await Promise.all([
    startReceiver(stage, { refuses: 0.2 }),
    ...Array.from({ length: scale.workers }, () => stage.startServer('worker', env)),
  ]);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: 20 });
  const oweSome = () => producer.owe(Math.ceil(deliveries / 3));

  await oweSome();
  await mongodb.leave(mongodb.ways[0] ?? '');
  await oweSome();
  await sleep(awayMs);
  const secondsWithout = await untilDelivered(stage, [producer.merchantId]);
  await mongodb.comeBack();
  await oweSome();
  const recoveredSeconds = await untilDelivered(stage, [producer.merchantId]);
  // Only the schedule makes it so, once it is at work again.
  await Promise.all(workers.map(({ url }) => untilReady(url)));

  const { counts } = await tally(stage, { receiver, producers: [producer] });
  const dead = workers.filter((worker) => !worker.isAlive()).length;
  const unready = (await Promise.all(workers.map(({ url }) => isReady(url)))).filter((ready) => !ready).length;
  return {
    scenario: `${scenario} (${mongodb.ways.join(', ')})`,
    ...counts,
    duplicates: { most: 0, because: 'the workers live on' },
    recoveredSeconds,
    recoversWithinSeconds: 15,
    notes: [
      `without it, all that was owed was delivered ${secondsWithout.toFixed(1)} s after ${awayMs / 1000} s, retries included`,
    ],
    broken: [
      ...counts.broken,
      ...(dead > 0 ? [`${dead} workers ended`] : []),
      ...(unready > 0 ? [`${unready} workers did not find the store again`] : []),
    ],
  };
}

const patienceMs = 30_000;

async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100))
    if (await isReady(url)) return;
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
}
