import type { Claimed } from '@tillhook/server/src/context.ts';
import { createFairQueue } from '@tillhook/server/src/webhooks/dispatch/fair-queue.ts';
import type { AttemptPace } from '@tillhook/server/src/webhooks/dispatch/fair-shares.ts';
import test from 'ava';

type FairQueue = ReturnType<typeof createFairQueue>;
type Mode = 'test' | 'live';

interface Owner {
  merchantId: string;
  mode: Mode;
  endpoints: number;
}

/** The default number of in-flight slots. A quarter of it is 64, a half is 128, and three quarters are 192. */
const limits = { concurrency: 256, endpointConcurrency: 16, leaseMs: 60_000, timeoutMs: 15_000 };

const merchant = (merchantId: string, mode: Mode, endpoints = 16): Owner => ({ merchantId, mode, endpoints });

let made = 0;

function addToQueue(queue: FairQueue, { merchantId, mode, endpoints }: Owner, each: number): void {
  const deliveries = Array.from({ length: endpoints * each }, (_, index) => {
    const endpointId = `${merchantId} ${mode} ${index % endpoints}`;
    return { id: `${made++}`, endpointId, target: { merchantId, mode } } as Claimed;
  });
  queue.add(deliveries, { statementAtMs: 0, nowMs: 0 });
}

function sendAll(queue: FairQueue): void {
  while (queue.next(0)) {}
}

interface Wanted {
  merchantId?: string;
  mode?: Mode;
}

function inFlightOf(queue: FairQueue, { merchantId, mode }: Wanted): Claimed[] {
  return queue
    .inFlight()
    .filter(({ target }) => target.merchantId === (merchantId ?? target.merchantId))
    .filter(({ target }) => target.mode === (mode ?? target.mode));
}

const placesOf = (queue: FairQueue, wanted: Wanted) => inFlightOf(queue, wanted).length;

function endAll(queue: FairQueue, wanted: Wanted, pace: AttemptPace): void {
  for (const delivery of inFlightOf(queue, wanted)) {
    queue.end(delivery, pace);
    sendAll(queue);
  }
}

function makeFast(queue: FairQueue, owner: Owner): void {
  addToQueue(queue, owner, 200);
  sendAll(queue);
  for (let round = 0; round < 5; round++) endAll(queue, owner, 'quick');
}

test('a merchant alone may hold three quarters of the in-flight slots, and in test mode three quarters of that number', (t) => {
  for (const [mode, max] of [
    ['live', 192],
    ['test', 144],
  ] as const) {
    const queue = createFairQueue(limits);
    makeFast(queue, merchant('a', mode));
    t.is(queue.inFlight().length, max);
  }
});

test('test mode alone may hold three quarters of the in-flight slots', (t) => {
  const queue = createFairQueue(limits);
  for (const id of ['a', 'b', 'c']) makeFast(queue, merchant(id, 'test'));

  t.is(placesOf(queue, { mode: 'test' }), 192);
});

for (const { mode, others, max } of [
  { mode: 'live', others: ['b'], max: 128 },
  { mode: 'live', others: ['b', 'c', 'd'], max: 64 },
  { mode: 'test', others: ['b', 'c', 'd'], max: 64 },
] as const) {
  test(`while ${others.length} live merchants wait, a ${mode} merchant that holds more than ${max} slots goes down to ${max}`, (t) => {
    const queue = createFairQueue(limits);
    const first = merchant('first', mode);
    makeFast(queue, first);
    t.true(placesOf(queue, first) > max);
    for (const id of others) addToQueue(queue, merchant(id, 'live'), 200);

    for (let round = 0; round < 5; round++) endAll(queue, {}, 'quick');

    t.true(queue.isFullyInFlight);
    t.is(placesOf(queue, first), max);
  });
}

test('while live deliveries wait, test mode gets no slot beyond half of the slots', (t) => {
  const queue = createFairQueue(limits);
  for (const id of ['a', 'b', 'c', 'd']) makeFast(queue, merchant(id, 'test'));
  t.is(placesOf(queue, { mode: 'test' }), 192);
  for (const id of ['e', 'f', 'g']) addToQueue(queue, merchant(id, 'live'), 200);

  for (let round = 0; round < 5; round++) endAll(queue, {}, 'quick');

  t.true(queue.isFullyInFlight);
  t.is(placesOf(queue, { mode: 'test' }), 128);
});

test('a merchant with deliveries in test and live mode holds no more slots than any other merchant', (t) => {
  const queue = createFairQueue(limits);
  for (const mode of ['live', 'test'] as const) makeFast(queue, merchant('a', mode));
  t.is(placesOf(queue, { merchantId: 'a' }), 192);
});

test('a merchant that holds its maximum leaves slots for the next merchant', (t) => {
  const queue = createFairQueue(limits);
  makeFast(queue, merchant('a', 'test'));
  for (const [id, mode] of [
    ['b', 'test'],
    ['c', 'live'],
  ] as const) {
    addToQueue(queue, merchant(id, mode, 1), 2);
    t.is(queue.next(0)?.target.merchantId, id);
    t.is(queue.next(0)?.target.merchantId, id);
  }
});

test('merchants take turns, even if one merchant has many endpoints', (t) => {
  const queue = createFairQueue({ ...limits, concurrency: 1 });
  addToQueue(queue, merchant('many', 'live', 16), 5);
  addToQueue(queue, merchant('one', 'live', 1), 3);

  const order: (string | undefined)[] = [];
  for (let next = queue.next(0); next && order.length < 6; next = queue.next(0)) {
    order.push(next.target.merchantId);
    queue.end(next, 'other');
  }

  t.deepEqual(order, ['many', 'one', 'many', 'one', 'many', 'one']);
});

test('sixteen slow endpoints hold at most 64 slots, which is a quarter of all slots, and at most 48 of these beyond their caps', (t) => {
  const queue = createFairQueue(limits);
  const slow = merchant('slow', 'live');
  makeFast(queue, slow);
  for (let round = 0; round < 6; round++) {
    addToQueue(queue, slow, 30);
    endAll(queue, slow, 'slow');
    t.true(placesOf(queue, slow) <= 192);
  }

  t.is(placesOf(queue, slow), 48);
});

test('while no other slow endpoint waits, a slow endpoint holds sixteen slots, and a hanging endpoint holds one slot', (t) => {
  for (const [pace, max] of [
    ['slow', 16],
    ['time-out', 1],
  ] as const) {
    const queue = createFairQueue(limits);
    const one = merchant('one', 'live', 1);
    for (let round = 0; round < 6; round++) {
      addToQueue(queue, one, 30);
      sendAll(queue);
      endAll(queue, one, pace);
    }
    t.is(placesOf(queue, one), max);
  }
});

test('a slow endpoint gets one slot even while other slow endpoints hold slots beyond their caps', (t) => {
  const queue = createFairQueue(limits);
  const many = merchant('many', 'live');
  for (let round = 0; round < 4; round++) {
    addToQueue(queue, many, 60);
    sendAll(queue);
    endAll(queue, many, 'slow');
  }
  t.is(placesOf(queue, many), 48);
  for (let n = 0; n < 16; n++) {
    const one = merchant(`one ${n}`, 'live', 1);
    addToQueue(queue, one, 1);
    sendAll(queue);
    endAll(queue, one, 'slow');
    addToQueue(queue, one, 1);
    t.is(queue.next(0)?.target.merchantId, one.merchantId);
  }
  t.is(queue.inFlight().length, 64);
});

test('while other merchants hold few deliveries, 1,152 deliveries may be claimed for a merchant in test mode (eight times 144), and 1,536 for test mode (eight times 192)', (t) => {
  const queue = createFairQueue(limits);
  t.deepEqual(queue.excluded(), []);
  t.is(queue.slots(), 1152);

  addToQueue(queue, merchant('others', 'live'), 15);
  addToQueue(queue, merchant('a', 'test', 100), 8);
  t.deepEqual(queue.excluded(), [], '800 of 1152 are held');
  addToQueue(queue, merchant('a', 'test', 100), 1);
  t.deepEqual(queue.excluded(), [{ merchantId: 'a', mode: 'test' }], 'fewer than 256 are left of eight times 144');
});

test('while other merchants hold an eighth of the deliveries, claims leave out a merchant or mode whose share is almost full, except the endpoints that already hold deliveries', (t) => {
  const queue = createFairQueue(limits);
  addToQueue(queue, merchant('others', 'live'), 16);
  addToQueue(queue, merchant('a', 'test', 100), 3);
  t.deepEqual(queue.excluded(), [{ merchantId: 'a', mode: 'test' }], '300 of eight times 64 are held');
  t.is(queue.slotsByEndpoint().get('a test 0'), 2, 'each of 100 endpoints may have an equal part of the remaining 212');
  t.is(queue.slots(), 8 * 128 - 300);

  addToQueue(queue, merchant('b', 'test', 100), 5);
  t.deepEqual(queue.excluded(), [
    { mode: 'test' },
    { merchantId: 'a', mode: 'test' },
    { merchantId: 'b', mode: 'test' },
  ]);
  t.is(queue.slotsByEndpoint().get('b test 0'), 0);

  queue.takeWaiting();
  t.deepEqual(queue.excluded(), []);
});

test('deliveries of slow endpoints do not prevent claims for their merchant or for test mode', (t) => {
  const queue = createFairQueue(limits);
  const slow = merchant('slow', 'test', 200);
  for (let round = 0; round < 3; round++) {
    addToQueue(queue, slow, 1);
    sendAll(queue);
    endAll(queue, slow, 'time-out');
  }
  addToQueue(queue, slow, 8);

  t.true(queue.size > 1000);
  t.deepEqual(queue.excluded(), []);
  t.is(queue.freeCapacity(), 2048);
});
