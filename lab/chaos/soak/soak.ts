import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../support/child.ts';
import { quantile } from '../../support/spread.ts';
import { comparePayments, wrongPayments } from '../delivery-rows.ts';
import { registerEndpoints } from '../endpoints.ts';
import type { Outcome } from '../outcome.ts';
import { failedCalls, type Payers, type Shop, startPayers } from '../payments.ts';
import { newProducer } from '../producer.ts';
import { compareRefunds, endRefunds } from '../refunds.ts';
import type { Server } from '../server.ts';
import { newMerchant, type Stage, startReceiver } from '../stage.ts';
import { type Tally, tally, waitUntilDelivered } from '../tally.ts';
import { type Growth, watchGrowth } from './growth.ts';
import { sendToMisbehavingReceivers } from './misbehaving-endpoints.ts';
import { outerThirds } from './trend.ts';

interface Scale {
  minutes: number;
}

const capacityWarmUpMs = 5000;
const capacityMs = 20_000;
const partOfCapacity = 0.5;
const payersAtOnce = 16;
/** The lease is so long that no attempt is made twice. */
const env = { DELIVERY_LEASE_MS: '30000', DELIVERY_TIMEOUT_MS: '2000' };
/** Caches and connection pools reach their full size within ten minutes. */
const maxWarmUpMinutes = 10;
const maxMiBPerMinute = 1;
const maxLatencyRatio = 1.5;
const maxDelayMs = 50;

/** Memory, the tables without history, and the latency of healthy receivers must not grow during a long run. */
export async function soak(stage: Stage, { minutes }: Scale): Promise<Outcome> {
  const [receiver, misbehaving, api, ...workers] = await Promise.all([
    startReceiver(stage),
    startChild(stage.running, import.meta.resolve('./misbehaving-receivers.ts')),
    // The API leases the deliveries that it sends for twice this timeout, so a long timeout prevents second attempts.
    stage.startServer('api', { ...env, DELIVERY_TIMEOUT_MS: '7500' }),
    stage.startServer('worker', env),
    stage.startServer('worker', env),
  ]);
  const shop = await newMerchant(stage);
  const url = `${receiver.greeting}/webhooks`;
  await registerEndpoints(stage, shop.id, { url, count: 1 });
  const capacity = await measureCapacity(stage, api, { ...shop, payers: payersAtOnce, prefix: 'capacity' });

  const startedAtMs = Date.now();
  const everyMs = (payersAtOnce * 1000) / (capacity.perSecond * partOfCapacity);
  const payers = startPayers(stage, api, { ...shop, payers: payersAtOnce, everyMs, prefix: 'soak' });
  const healthy = await newProducer(stage, { url, endpoints: 20 });
  const queueing = healthy.keepQueueing();
  const sending = await sendToMisbehavingReceivers(stage, JSON.parse(misbehaving.greeting));
  const [one, two] = workers;
  const growing = watchGrowth(stage.database, {
    api,
    ...(one && { 'worker 1': one }),
    ...(two && { 'worker 2': two }),
  });
  await sleep(minutes * minuteMs);
  const warmUntil = new Date(startedAtMs + Math.min(maxWarmUpMinutes, minutes / 3) * minuteMs);
  const growth = await growing.stop(warmUntil);
  await Promise.all([payers.stop(), queueing.stop()]);
  const sent = await sending.stop();
  for (const reference of capacity.payers.refunds.committed) payers.refunds.committed.add(reference);
  await endRefunds(stage, payers.refunds);
  await waitUntilDelivered(stage, [shop.id, healthy.merchantId]);

  const producers = [healthy, capacity.payers, payers, payers.refunds];
  const tallied = await tally(stage, { receiver, producers });
  const refunds = await compareRefunds(stage, payers.refunds);
  const compared = await comparePayments(stage.database, shop.id);
  const pace = paceOf(tallied, warmUntil);
  return {
    scenario: `${minutes} minutes at half of the machine's capacity, with receivers that answer late, wrongly or never`,
    ...tallied.counts,
    recoveredSeconds: null,
    recoversWithinSeconds: null,
    notes: [
      `${(payers.committed.size / (minutes * 60)).toFixed(1)} payments a second, at a capacity of ${capacity.perSecond.toFixed(1)}`,
      ...describe(growth),
      pace.note,
      sent.note,
      refunds.note,
    ],
    broken: [
      ...tallied.counts.broken,
      ...refunds.broken,
      ...sent.broken,
      ...tooMuch(growth),
      ...pace.broken,
      ...failedCalls(payers),
      ...wrongPayments(compared, [...capacity.payers.committed, ...payers.committed]),
    ],
  };
}

const minuteMs = 60_000;

function describe({ memory, tables }: Growth): string[] {
  return [
    ...memory.map(
      ({ name, rssMiB, rssSlope, heapSlope }) =>
        `${name}: ${rssMiB.toFixed(0)} MiB at the end; RSS ${inMiB(rssSlope)} and heap ${inMiB(heapSlope)} a minute`,
    ),
    `${tables} tables that are no history did not grow`,
  ];
}

const inMiB = (slope: number) => `${slope >= 0 ? '+' : '−'}${Math.abs(slope).toFixed(2)} MiB`;

function tooMuch({ memory, grownTables }: Growth): string[] {
  const grows = (slope: number) => !(slope <= maxMiBPerMinute);
  return [
    ...memory.filter(({ rssSlope }) => grows(rssSlope)).map(({ name }) => `the memory of ${name} grows`),
    ...memory.filter(({ heapSlope }) => grows(heapSlope)).map(({ name }) => `the heap of ${name} grows`),
    ...grownTables,
  ];
}

function paceOf({ arrivals }: Tally, warmUntil: Date): { note: string; broken: string[] } {
  const warm = arrivals.filter(({ atMs }) => atMs >= warmUntil.getTime());
  const [first, last] = outerThirds(warm).map((third) =>
    quantile(
      third.map(({ latencyMs }) => latencyMs),
      0.99,
    ),
  ) as [number, number];
  const isLater = !(last <= first * maxLatencyRatio + maxDelayMs);
  return {
    note: `p99 from commit to receipt of healthy endpoints ${first.toFixed(0)} ms in the first third, ${last.toFixed(0)} ms in the last`,
    broken: isLater ? [`p99 of healthy endpoints went from ${first.toFixed(0)} to ${last.toFixed(0)} ms`] : [],
  };
}

async function measureCapacity(
  stage: Stage,
  api: Pick<Server, 'url'>,
  shop: Shop,
): Promise<{ perSecond: number; payers: Payers }> {
  const payers = startPayers(stage, api, shop);
  await payers.waitForPayments();
  await sleep(capacityWarmUpMs);
  const [before, startedAtMs] = [payers.committed.size, performance.now()];
  await sleep(capacityMs);
  const perSecond = ((payers.committed.size - before) * 1000) / (performance.now() - startedAtMs);
  await payers.stop();
  return { perSecond, payers };
}
