import test from 'ava';
import { createHeap } from './heap.ts';
import { type Load, simulate } from './simulation.ts';

const costs = {
  payment: { apiMicros: 1000, workerMicros: 0, postgresMicros: 500, walBytes: 0, tables: {} },
  delivery: { apiMicros: 0, workerMicros: 200, postgresMicros: 500, walBytes: 0, tables: {} },
};
const load: Load = { eventsPerSecond: 1000, seconds: 10, answerMs: 100, inFlight: 256 };
const plenty = { apiProcesses: 20, workers: 20, postgresCores: 20 };

test('a heap returns its items in order of time', (t) => {
  const heap = createHeap<number>();
  const times = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1009);
  for (const time of times) heap.push(time, time);

  t.deepEqual(
    times.map(() => heap.pop()?.item),
    times.toSorted((a, b) => a - b),
  );
  t.is(heap.pop(), undefined);
});

test('with more than enough machines, a payment and a delivery wait for no other work, and take only their service time', (t) => {
  const { paymentMs, lateMs, used, unfinished } = simulate(costs, load, plenty);

  t.deepEqual(
    [paymentMs.p50, lateMs.p50].map((ms) => ms.toFixed(3)),
    ['1.500', '0.200'],
  );
  t.deepEqual(
    [used.api, used.workers, used.postgres].map((part) => part.toFixed(2)),
    ['0.05', '0.01', '0.05'],
  );
  // Receivers answer after about 0.1 seconds, so the deliveries of the last 0.1 seconds are unfinished.
  t.true(unfinished > 50 && unfinished < 200, String(unfinished));
});

for (const [name, small] of [
  ['api', { ...plenty, apiProcesses: 1 }],
  ['postgres', { ...plenty, postgresCores: 1 }],
] as const) {
  test(`with half of the ${name} that the load needs, this half is always busy, and payments wait ever longer`, (t) => {
    const busy = { ...load, eventsPerSecond: 2 * load.eventsPerSecond };
    const [short, long] = [simulate(costs, busy, small), simulate(costs, { ...busy, seconds: 20 }, small)];

    t.true(long.used[name] > 0.99);
    t.true(long.paymentMs.p99 > 1.5 * short.paymentMs.p99);
    t.true(long.unfinished > 1.5 * short.unfinished);
  });
}

test('with too few in-flight slots, webhooks are late, but payments are not late', (t) => {
  const { paymentMs, lateMs } = simulate(costs, { ...load, inFlight: 50 }, { ...plenty, workers: 1 });

  t.is(paymentMs.p50.toFixed(3), '1.500');
  t.true(lateMs.p50 > 1000);
});

test('a repeated simulation has the same result', (t) => {
  t.deepEqual(simulate(costs, load, plenty), simulate(costs, load, plenty));
});
