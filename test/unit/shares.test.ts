import { createBacklog } from '@tillhook/server/src/webhooks/dispatch/backlog.ts';
import type { AttemptPace } from '@tillhook/server/src/webhooks/dispatch/caps.ts';
import type { Claimed } from '@tillhook/server/src/wire/claimed.ts';
import test from 'ava';

type Backlog = ReturnType<typeof createBacklog>;
type Mode = 'test' | 'live';

interface Owner {
  merchantId: string;
  mode: Mode;
  endpoints: number;
}

/** The default window. A quarter of it is 64, a half 128, three quarters 192. */
const limits = { concurrency: 256, endpointConcurrency: 16, leaseMs: 60_000, timeoutMs: 15_000 };

const merchant = (merchantId: string, mode: Mode, endpoints = 16): Owner => ({ merchantId, mode, endpoints });

let made = 0;

function addToBacklog(backlog: Backlog, { merchantId, mode, endpoints }: Owner, each: number): void {
  const deliveries = Array.from({ length: endpoints * each }, (_, index) => {
    const endpointId = `${merchantId} ${mode} ${index % endpoints}`;
    return { id: `${made++}`, endpointId, target: { merchantId, mode } } as Claimed;
  });
  backlog.add(deliveries, { askedAtMs: 0, nowMs: 0 });
}

function sendAll(backlog: Backlog): void {
  while (backlog.next(0)) {
    // Until no more deliveries may be sent.
  }
}

interface Wanted {
  merchantId?: string;
  mode?: Mode;
}

function inFlightOf(backlog: Backlog, { merchantId, mode }: Wanted): Claimed[] {
  return backlog
    .inFlight()
    .filter(({ target }) => target.merchantId === (merchantId ?? target.merchantId))
    .filter(({ target }) => target.mode === (mode ?? target.mode));
}

const placesOf = (backlog: Backlog, wanted: Wanted) => inFlightOf(backlog, wanted).length;

/** Ends all their deliveries in flight, one after another, and sends those that may follow each. */
function endAll(backlog: Backlog, wanted: Wanted, pace: AttemptPace): void {
  for (const delivery of inFlightOf(backlog, wanted)) {
    backlog.end(delivery, pace);
    sendAll(backlog);
  }
}

/** Makes the endpoints of a merchant fast, with as many deliveries in flight as it may have. */
function makeFast(backlog: Backlog, owner: Owner): void {
  addToBacklog(backlog, owner, 200);
  sendAll(backlog);
  for (let round = 0; round < 5; round++) endAll(backlog, owner, 'quick');
}

test('a merchant alone may hold three quarters of the window, and in test mode three quarters of that', (t) => {
  for (const [mode, most] of [
    ['live', 192],
    ['test', 144],
  ] as const) {
    const backlog = createBacklog(limits);
    makeFast(backlog, merchant('a', mode));
    t.is(backlog.inFlight().length, most);
  }
});

test('test mode alone may hold three quarters of the window', (t) => {
  const backlog = createBacklog(limits);
  for (const id of ['a', 'b', 'c']) makeFast(backlog, merchant(id, 'test'));

  t.is(placesOf(backlog, { mode: 'test' }), 192);
});

for (const { mode, others, most } of [
  { mode: 'live', others: ['b'], most: 128 },
  { mode: 'live', others: ['b', 'c', 'd'], most: 64 },
  { mode: 'test', others: ['b', 'c', 'd'], most: 64 },
] as const) {
  test(`beside ${others.length} waiting live merchants, a ${mode} merchant that holds more goes down to ${most}`, (t) => {
    const backlog = createBacklog(limits);
    const first = merchant('first', mode);
    makeFast(backlog, first);
    t.true(placesOf(backlog, first) > most);
    for (const id of others) addToBacklog(backlog, merchant(id, 'live'), 200);

    for (let round = 0; round < 5; round++) endAll(backlog, {}, 'quick');

    t.true(backlog.isFullyInFlight);
    t.is(placesOf(backlog, first), most);
  });
}

test('while live deliveries wait, test mode gets no place beyond half of the window', (t) => {
  const backlog = createBacklog(limits);
  for (const id of ['a', 'b', 'c', 'd']) makeFast(backlog, merchant(id, 'test'));
  t.is(placesOf(backlog, { mode: 'test' }), 192);
  for (const id of ['e', 'f', 'g']) addToBacklog(backlog, merchant(id, 'live'), 200);

  for (let round = 0; round < 5; round++) endAll(backlog, {}, 'quick');

  t.true(backlog.isFullyInFlight);
  t.is(placesOf(backlog, { mode: 'test' }), 128);
});

test('a merchant with both modes holds no more than any other', (t) => {
  const backlog = createBacklog(limits);
  for (const mode of ['live', 'test'] as const) makeFast(backlog, merchant('a', mode));
  t.is(placesOf(backlog, { merchantId: 'a' }), 192);
});

test('a merchant that holds its maximum leaves places for the next one', (t) => {
  const backlog = createBacklog(limits);
  makeFast(backlog, merchant('a', 'test'));
  for (const [id, mode] of [
    ['b', 'test'],
    ['c', 'live'],
  ] as const) {
    addToBacklog(backlog, merchant(id, mode, 1), 2);
    t.is(backlog.next(0)?.target.merchantId, id);
    t.is(backlog.next(0)?.target.merchantId, id);
  }
});

test('merchants take turns, even if one has many endpoints', (t) => {
  const backlog = createBacklog({ ...limits, concurrency: 1 });
  addToBacklog(backlog, merchant('many', 'live', 16), 5);
  addToBacklog(backlog, merchant('one', 'live', 1), 3);

  const order: (string | undefined)[] = [];
  for (let next = backlog.next(0); next && order.length < 6; next = backlog.next(0)) {
    order.push(next.target.merchantId);
    backlog.end(next, 'other');
  }

  t.deepEqual(order, ['many', 'one', 'many', 'one', 'many', 'one']);
});

test('sixteen slow endpoints hold at most a quarter of the window, and 48 of 64 places beyond their caps', (t) => {
  const backlog = createBacklog(limits);
  const slow = merchant('slow', 'live');
  makeFast(backlog, slow);
  for (let round = 0; round < 6; round++) {
    addToBacklog(backlog, slow, 30);
    endAll(backlog, slow, 'slow');
    t.true(placesOf(backlog, slow) <= 192);
  }

  t.is(placesOf(backlog, slow), 48);
});

test('a slow endpoint has sixteen places while no other slow one waits, and a hanging one has one', (t) => {
  for (const [pace, most] of [
    ['slow', 16],
    ['time-out', 1],
  ] as const) {
    const backlog = createBacklog(limits);
    const one = merchant('one', 'live', 1);
    for (let round = 0; round < 6; round++) {
      addToBacklog(backlog, one, 30);
      sendAll(backlog);
      endAll(backlog, one, pace);
    }
    t.is(placesOf(backlog, one), most);
  }
});

test('a slow endpoint gets its one place while others hold many beyond their caps', (t) => {
  const backlog = createBacklog(limits);
  const many = merchant('many', 'live');
  for (let round = 0; round < 4; round++) {
    addToBacklog(backlog, many, 60);
    sendAll(backlog);
    endAll(backlog, many, 'slow');
  }
  t.is(placesOf(backlog, many), 48);
  for (let n = 0; n < 16; n++) {
    const one = merchant(`one ${n}`, 'live', 1);
    addToBacklog(backlog, one, 1);
    sendAll(backlog);
    endAll(backlog, one, 'slow');
    addToBacklog(backlog, one, 1);
    t.is(backlog.next(0)?.target.merchantId, one.merchantId);
  }
  t.is(backlog.inFlight().length, 64);
});

test('while others hold little, eight times 144 may be claimed for a merchant in test mode, and eight times 192 for all', (t) => {
  const backlog = createBacklog(limits);
  t.deepEqual(backlog.passedOver(), []);
  t.is(backlog.slots(), 1152);

  addToBacklog(backlog, merchant('others', 'live'), 15);
  addToBacklog(backlog, merchant('a', 'test', 100), 8);
  t.deepEqual(backlog.passedOver(), [], '800 of 1152 are held');
  addToBacklog(backlog, merchant('a', 'test', 100), 1);
  t.deepEqual(
    backlog.passedOver(),
    [{ merchantId: 'a', mode: 'test' }],
    'less than one window is left of eight times 144',
  );
});

test('while others hold an eighth, claims pass over a merchant and test mode that hold half, except for endpoints that hold deliveries already', (t) => {
  const backlog = createBacklog(limits);
  addToBacklog(backlog, merchant('others', 'live'), 16);
  addToBacklog(backlog, merchant('a', 'test', 100), 3);
  t.deepEqual(backlog.passedOver(), [{ merchantId: 'a', mode: 'test' }], '300 of eight times 64 are held');
  t.is(backlog.slotsByEndpoint().get('a test 0'), 2, 'each of 100 may have its part of the 212 that are left');
  t.is(backlog.slots(), 8 * 128 - 300);

  addToBacklog(backlog, merchant('b', 'test', 100), 5);
  t.deepEqual(backlog.passedOver(), [
    { mode: 'test' },
    { merchantId: 'a', mode: 'test' },
    { merchantId: 'b', mode: 'test' },
  ]);
  t.is(backlog.slotsByEndpoint().get('b test 0'), 0);

  backlog.takeWaiting();
  t.deepEqual(backlog.passedOver(), []);
});

test('deliveries of slow endpoints do not prevent claims for their merchant or for test mode', (t) => {
  const backlog = createBacklog(limits);
  const slow = merchant('slow', 'test', 200);
  for (let round = 0; round < 3; round++) {
    addToBacklog(backlog, slow, 1);
    sendAll(backlog);
    endAll(backlog, slow, 'time-out');
  }
  addToBacklog(backlog, slow, 8);

  t.true(backlog.size > 1000);
  t.deepEqual(backlog.passedOver(), []);
  t.is(backlog.freeCapacity(), 2048);
});
