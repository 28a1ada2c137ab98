import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/contest.ts';
import type { Outcome } from './outcome.ts';
import { newProducer, type Producer } from './producer.ts';
import { type Stage, startReceiver } from './stage.ts';
import { type Tally, tally, untilDelivered } from './tally.ts';

interface Scale {
  endpoints: number;
  /** Owed to those that answer, once while all do and once while one does not. */
  deliveries: number;
  perSecond: number;
  /** Whether the p99 of the others is a promise. It is none in a test, which shares its machine. */
  isTimed: boolean;
}

const commitsPerSecond = 20;
/** A delivery that had to wait for a hanging endpoint would wait for its time-out, a second and a half. */
const mostLaterMs = 250;

/** One of the endpoints never answers. The others hear as soon as they did without it. */
export async function hangingEndpoint(stage: Stage, scale: Scale): Promise<Outcome> {
  const { endpoints, deliveries, isTimed } = scale;
  await stage.startServer('worker', { DELIVERY_LEASE_MS: '60000', DELIVERY_RETRY_DELAYS_MS: '' });
  const silent = await startReceiver(stage);
  const hung = await newProducer(stage, { url: `${silent.greeting}/hang`, endpoints: 1 });
  // The first sends of a process are slower than all others, so they are not timed.
  await play(stage, null, { ...scale, deliveries: Math.ceil(deliveries / 10) });
  const without = await play(stage, null, scale);
  const { latenciesMs, counts } = await play(stage, hung, scale);
  const [before, now] = [quantile(without.latenciesMs, 0.99), quantile(latenciesMs, 0.99)];
  return {
    scenario: `one of ${endpoints} endpoints never answers`,
    ...counts,
    duplicates: { most: 0, because: 'the worker lives on' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `p99 from commit to receipt of the others ${before.toFixed(1)} ms without it, ${now.toFixed(1)} ms with it`,
    ],
    broken: [
      ...counts.broken,
      ...(isTimed && now > before + mostLaterMs ? [`p99 of the others is ${now.toFixed(0)} ms`] : []),
    ],
  };
}

/** Owes at an even rate to endpoints of a new merchant, and to those that hang as often as to each of them and more. */
async function play(stage: Stage, hung: Producer | null, { endpoints, deliveries, perSecond }: Scale): Promise<Tally> {
  const receiver = await startReceiver(stage);
  const healthy = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: endpoints - 1 });
  const perCommit = Math.ceil(perSecond / commitsPerSecond);
  for (let owed = 0; owed < deliveries; owed += perCommit) {
    const pause = sleep(1000 / commitsPerSecond);
    await healthy.owe(perCommit);
    await hung?.owe(Math.ceil(perCommit / endpoints));
    await pause;
  }
  await untilDelivered(stage, [healthy.merchantId]);
  return tally(stage, { receiver, producers: [healthy] });
}
