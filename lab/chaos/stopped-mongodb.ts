import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from './outcome.ts';
import { newProducer } from './producer.ts';
import { type Stage, startReceiver, withLongLease } from './stage.ts';
import { tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  workers: number;
  deliveries: number;
  awayMs: number;
}

/** MongoDB stores only the times of the jobs, so deliveries and retries must continue without MongoDB. */
export async function stoppedMongodb(stage: Stage, scale: Scale): Promise<Ending> {
  const { deliveries, awayMs } = scale;
  const scenario = 'MongoDB, the store of the schedule, away under load';
  if (typeof stage.startMongodb === 'string') return { scenario, notRun: stage.startMongodb };
  const mongodb = await stage.startMongodb();
  const env = { ...withLongLease, MONGODB_URL: mongodb.url };
  const [receiver, ...workers] = await Promise.all([
    startReceiver(stage, { refuses: 0.2 }),
    ...Array.from({ length: scale.workers }, () => stage.startServer('worker', env)),
  ]);
  const producer = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: 20 });
  const queueThird = () => producer.queueEvents(Math.ceil(deliveries / 3));

  await queueThird();
  await mongodb.goAway(mongodb.ways[0] ?? '');
  await queueThird();
  await sleep(awayMs);
  const secondsWithout = await waitUntilDelivered(stage, [producer.merchantId]);
  await mongodb.comeBack();
  await queueThird();
  const recoveredSeconds = await waitUntilDelivered(stage, [producer.merchantId]);
  // A worker is ready again only after its schedule works again.
  await Promise.all(workers.map(({ url }) => waitUntilReady(url)));

  const { counts } = await tally(stage, { receiver, producers: [producer] });
  const dead = workers.filter((worker) => !worker.isAlive()).length;
  const unready = (await Promise.all(workers.map(({ url }) => isReady(url)))).filter((ready) => !ready).length;
  return {
    scenario: `${scenario} (${mongodb.ways.join(', ')})`,
    ...counts,
    duplicates: { max: 0, because: 'the workers are not killed' },
    recoveredSeconds,
    recoversWithinSeconds: 15,
    notes: [
      `without the store, all deliveries ended ${secondsWithout.toFixed(1)} s after the outage of ${awayMs / 1000} s, retries included`,
    ],
    broken: [
      ...counts.broken,
      ...(dead > 0 ? [`${dead} workers ended`] : []),
      ...(unready > 0 ? [`${unready} workers did not find the store again`] : []),
    ],
  };
}

const patienceMs = 30_000;

async function waitUntilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100))
    if (await isReady(url)) return;
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
}
