import type { WorkersRate } from '@tillhook/docs/figures/scaling.ts';
import type { Bench } from '../bench/bench.ts';
import { deliver } from '../bench/deliveries/deliver.ts';
import { startReceiver } from '../support/child.ts';
import { createMerchants } from '../support/merchant.ts';
import { registerEndpoints } from '../support/queued-deliveries.ts';
import type { RunningServer } from '../support/server.ts';

const counts = [1, 2, 4];
const endpointCount = 40;
const answerMs = 50;
const inFlight = 32;
const maxOfOne = (inFlight * 1000) / answerMs;
const seconds = 10;
const warmUpSeconds = 2;

/** Each worker waits for the receiver and not for a core of this machine, so a lower rate is caused by the queue. */
export async function measureWorkerCounts(bench: Bench): Promise<WorkersRate[]> {
  const receiver = await startReceiver(bench.running);
  const endpointIds: string[] = [];
  for (const { id: merchantId } of (await createMerchants(bench.database)).slice(0, endpointCount)) {
    const endpoint = { merchantId, url: `${receiver.greeting}/after/${answerMs}`, count: 1 };
    endpointIds.push(...(await registerEndpoints(bench.database, bench.sealer, endpoint)));
  }
  const rates: WorkersRate[] = [];
  const running: RunningServer[] = [];
  for (const workers of counts) {
    while (running.length < workers)
      running.push(await bench.startServer('worker', { DELIVERY_CONCURRENCY: String(inFlight) }));
    const pids = Object.fromEntries(running.map(({ pid }, index) => [`worker ${index + 1}`, pid]));
    const delivering = { bench, receiver, workers: pids, endpointIds };
    await deliver(delivering, workers * maxOfOne * warmUpSeconds);
    const { perSecond, cpuMicros } = await deliver(delivering, workers * maxOfOne * seconds);
    const { postgres: postgresMicros = 0 } = cpuMicros ?? {};
    const workerMicros = Object.keys(pids).reduce((sum, name) => sum + (cpuMicros?.[name] ?? 0), 0);
    rates.push({ workers, perSecond, possiblePerSecond: workers * maxOfOne, workerMicros, postgresMicros });
  }
  for (const worker of running) await worker.stop();
  await receiver.stop();
  return rates;
}
