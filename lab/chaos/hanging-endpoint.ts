import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../support/spread.ts';
import type { Outcome } from './outcome.ts';
import { newProducer, type Producer } from './producer.ts';
import { type Stage, startReceiver } from './stage.ts';
import { type Tally, tally, waitUntilDelivered } from './tally.ts';

interface Scale {
  endpoints: number;
  deliveries: number;
  perSecond: number;
  /** Whether the latency is checked. Tests do not check the latency, because other tests run at the same time. */
  isTimed: boolean;
}

const commitsPerSecond = 20;
/** If a delivery had to wait for the hanging endpoint, it would wait for 1.5 seconds. */
const maxDelayMs = 250;

export async function hangingEndpoint(stage: Stage, scale: Scale): Promise<Outcome> {
  const { endpoints, deliveries, isTimed } = scale;
  await stage.startServer('worker', { DELIVERY_LEASE_MS: '60000', DELIVERY_RETRY_DELAYS_MS: '' });
  const silent = await startReceiver(stage);
  const hanging = await newProducer(stage, { url: `${silent.greeting}/hang`, endpoints: 1 });
  // The first deliveries of a process are slower than later deliveries, so the first deliveries are not timed.
  await play(stage, null, { ...scale, deliveries: Math.ceil(deliveries / 10) });
  const without = await play(stage, null, scale);
  const { latenciesMs, counts } = await play(stage, hanging, scale);
  const [before, now] = [quantile(without.latenciesMs, 0.99), quantile(latenciesMs, 0.99)];
  return {
    scenario: `one of ${endpoints} endpoints never answers`,
    ...counts,
    duplicates: { max: 0, because: 'the worker is not killed' },
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `p99 from commit to receipt of the others ${before.toFixed(1)} ms without it, ${now.toFixed(1)} ms with it`,
    ],
    broken: [
      ...counts.broken,
      ...(isTimed && now > before + maxDelayMs ? [`p99 of the others is ${now.toFixed(0)} ms`] : []),
    ],
  };
}

async function play(stage: Stage, hung: Producer | null, { endpoints, deliveries, perSecond }: Scale): Promise<Tally> {
  const receiver = await startReceiver(stage);
  const healthy = await newProducer(stage, { url: `${receiver.greeting}/webhooks`, endpoints: endpoints - 1 });
  const perCommit = Math.ceil(perSecond / commitsPerSecond);
  for (let queued = 0; queued < deliveries; queued += perCommit) {
    const pause = sleep(1000 / commitsPerSecond);
    await healthy.queueEvents(perCommit);
    await hung?.queueEvents(Math.ceil(perCommit / endpoints));
    await pause;
  }
  await waitUntilDelivered(stage, [healthy.merchantId]);
  return tally(stage, { receiver, producers: [healthy] });
}
