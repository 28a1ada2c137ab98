import { type Costs, daysUntilFull, needsOf, type ScalingReport, usedShares } from '@tillhook/docs/figures/scaling.ts';
import test from 'ava';

const none: Costs = { apiMicros: 0, workerMicros: 0, postgresMicros: 0, walBytes: 0, tables: {} };
const payment: Costs = {
  apiMicros: 600,
  workerMicros: 0,
  postgresMicros: 300,
  walBytes: 2 ** 20,
  tables: { payment: { rows: 1, bytes: 2 ** 20 }, event: { rows: 1, bytes: 2 ** 20 } },
};
const delivery: Costs = {
  ...none,
  workerMicros: 60,
  postgresMicros: 150,
  walBytes: 2 ** 19,
  tables: { delivery: { rows: 1, bytes: 2 ** 20 } },
};
const report: ScalingReport = {
  measuredAt: '',
  machine: { cpu: '', cores: 2, memoryGiB: 1, system: '', loadBefore: 0 },
  versions: {},
  payment,
  delivery,
  workers: [],
  simulated: [],
};
const load = { eventsPerSecond: 1000, deliveriesPerEvent: 2, retentionDays: 10 };

test('the cores for a load are computed from the processor time of its payments and deliveries, at a utilisation of 60 %', (t) => {
  const needs = needsOf(report, load);

  t.is(needs.apiCores, 1);
  t.true(Math.abs(needs.workerCores - 0.2) < 1e-9);
  t.is(needs.postgresCores, 1);
  t.is(needs.walMiBPerSecond, 2000);
});

test('events and deliveries are kept for the retention time, and payments are kept without a limit', (t) => {
  const { keptTiB, growthGiBPerDay } = needsOf(report, load);
  const mebibytesOfDay = 1000 * 86_400;

  t.is(keptTiB, (10 * 3 * mebibytesOfDay) / 2 ** 20);
  t.is(growthGiBPerDay, mebibytesOfDay / 2 ** 10);
});

test('answers of an Idempotency-Key are kept for one day, whatever the retention is', (t) => {
  const keyed = { ...report, payment: { ...none, tables: { idempotency_key: { rows: 1, bytes: 2 ** 20 } } } };
  const { keptTiB, growthGiBPerDay } = needsOf(keyed, { ...load, deliveriesPerEvent: 0 });

  t.is(keptTiB, (1000 * 86_400) / 2 ** 20);
  t.is(growthGiBPerDay, 0);
});

test('the limits are ordered by the share that the load uses, the largest share first', (t) => {
  const limits = { postgresCores: 4, walMiBPerSecond: 500, storedTiB: 10_000 };

  t.deepEqual(
    usedShares(needsOf(report, load), limits).map(({ limit }) => limit),
    ['walMiBPerSecond', 'postgresCores', 'storedTiB'],
  );
  t.is(usedShares(needsOf(report, load), limits)[0]?.share, 4);
});

test('payments and the ledger fill the disk space that events and deliveries leave', (t) => {
  const needs = { ...needsOf(report, load), keptTiB: 6, growthGiBPerDay: 512 };
  const limits = { postgresCores: 1, walMiBPerSecond: 1, storedTiB: 8 };

  t.is(daysUntilFull(needs, limits), 4);
  t.is(daysUntilFull(needs, { ...limits, storedTiB: 5 }), 0);
});
