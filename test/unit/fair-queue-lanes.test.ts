import type { Claimed } from '@tillhook/server/src/context.ts';
import { createClaimPlan } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import { createFairQueue } from '@tillhook/server/src/webhooks/dispatch/fair-queue.ts';
import type { AttemptPace } from '@tillhook/server/src/webhooks/dispatch/fair-shares.ts';
import type { ClaimRequest } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { firstEndpoint } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test from 'ava';

type FairQueue = ReturnType<typeof createFairQueue>;

const limits = { concurrency: 256, endpointConcurrency: 16, leaseMs: 60_000, timeoutMs: 15_000 };

let made = 0;

function addToQueue(queue: FairQueue, endpointId: string, count: number): void {
  const target = { merchantId: `merchant of ${endpointId}`, mode: 'live' };
  const deliveries = Array.from({ length: count }, () => ({ id: `${made++}`, endpointId, target }) as Claimed);
  queue.add(deliveries, { statementAtMs: 0, nowMs: 0 });
}

function sendAll(queue: FairQueue): Claimed[] {
  const sent: Claimed[] = [];
  for (let next = queue.next(0); next; next = queue.next(0)) sent.push(next);
  return sent;
}

const inFlightOf = (queue: FairQueue, endpointId: string) =>
  queue.inFlight().filter((delivery) => delivery.endpointId === endpointId).length;

function end(queue: FairQueue, endpointId: string, pace: AttemptPace): void {
  const delivery = queue.inFlight().find((one) => one.endpointId === endpointId);
  queue.end(delivery as Claimed, pace);
  sendAll(queue);
}

const hangingNames = (count: number) => Array.from({ length: count }, (_, index) => `hung-${index}`);

function queueWithHanging(count: number): FairQueue {
  const queue = createFairQueue(limits);
  for (const id of hangingNames(count)) {
    addToQueue(queue, id, 16);
    sendAll(queue);
    end(queue, id, 'time-out');
    for (const rest of queue.inFlight()) if (rest.endpointId === id) queue.end(rest, 'other');
  }
  return queue;
}

test('the cap of an endpoint starts at two, doubles at each fast answer up to its maximum, and halves at each time-out down to one', (t) => {
  const queue = createFairQueue(limits);
  addToQueue(queue, 'a', 100);
  sendAll(queue);
  const caps = [inFlightOf(queue, 'a')];
  for (let ended = 0; ended < 4; ended++) {
    end(queue, 'a', 'quick');
    caps.push(inFlightOf(queue, 'a'));
  }
  t.deepEqual(caps, [2, 4, 8, 16, 16]);

  for (let ended = 0; ended < 20; ended++) end(queue, 'a', 'time-out');

  t.is(inFlightOf(queue, 'a'), 1);
  end(queue, 'a', 'other');
  t.is(inFlightOf(queue, 'a'), 1);
  end(queue, 'a', 'quick');
  t.is(inFlightOf(queue, 'a'), 2);
});

test('the number of deliveries that may be claimed for an endpoint follows its cap', (t) => {
  const queue = createFairQueue(limits);
  t.is(queue.slotsPerNewEndpoint, 16);
  addToQueue(queue, 'a', 10);
  sendAll(queue);
  t.is(queue.slotsByEndpoint().get('a'), 6);

  end(queue, 'a', 'quick');
  t.is(queue.slotsByEndpoint().get('a'), 32 - 9);
  for (const _ of [1, 2]) end(queue, 'a', 'time-out');

  t.is(queue.slotsByEndpoint().get('a'), 8 - 7);
});

for (const count of [16, 32, 100]) {
  test(`when ${count} endpoints begin to hang, a new endpoint still gets in-flight slots and its deliveries are claimed`, (t) => {
    const queue = createFairQueue(limits);
    for (const id of hangingNames(count)) addToQueue(queue, id, queue.slotsPerNewEndpoint);
    sendAll(queue);

    t.true(queue.freeCapacity() > 0);
    addToQueue(queue, 'healthy', 1);

    t.is(sendAll(queue)[0]?.endpointId, 'healthy');
  });
}

for (const count of [16, 32, 300]) {
  test(`${count} hanging endpoints hold at most a quarter of the in-flight slots, and never delay a healthy endpoint`, (t) => {
    const queue = queueWithHanging(count);
    sendAll(queue);

    t.is(queue.inFlight().length, Math.min(count, 64));
    for (let round = 0; round < 50; round++) {
      addToQueue(queue, 'healthy', 1);
      t.is(sendAll(queue)[0]?.endpointId, 'healthy');
      end(queue, 'healthy', 'quick');
    }
    t.is(queue.inFlight().length, Math.min(count, 64));
  });
}

test('if each endpoint may have one delivery in flight, hanging endpoints still hold only a quarter of the in-flight slots', (t) => {
  const queue = createFairQueue({ ...limits, endpointConcurrency: 1 });
  for (const id of hangingNames(300)) addToQueue(queue, id, 4);
  sendAll(queue);
  for (const { endpointId } of queue.inFlight()) end(queue, endpointId, 'time-out');
  for (const { endpointId } of queue.inFlight()) end(queue, endpointId, 'time-out');

  addToQueue(queue, 'healthy', 1);

  t.is(sendAll(queue)[0]?.endpointId, 'healthy');
  t.is(queue.inFlight().length, 64 + 1);
});

test('slow endpoints take turns in the slots that are reserved for slow endpoints', (t) => {
  const queue = queueWithHanging(65);
  sendAll(queue);
  const [first] = queue.inFlight();
  const waits = hangingNames(65).find((id) => inFlightOf(queue, id) === 0);

  end(queue, first?.endpointId ?? '', 'time-out');

  t.is(inFlightOf(queue, waits ?? ''), 1);
});

test('claims continue while the deliveries of many slow endpoints wait', (t) => {
  const plan = createClaimPlan(limits.concurrency);
  const queue = queueWithHanging(300);
  sendAll(queue);
  t.true(queue.size > 2048);

  plan.noteWakeUp();
  const request = plan.begin(queue) as ClaimRequest;

  t.is(
    request.slots,
    1152,
    'the maximum of one merchant in test mode, because all claimed deliveries may belong to one merchant',
  );
  t.is(request.slotsOf.get('hung-0'), 0);
  plan.finish(request, { deliveries: [], taken: new Map([['healthy', 16]]), isFull: false, last: firstEndpoint });
  t.truthy(plan.begin(queue), 'the healthy endpoint may have more due deliveries');
});

test('hanging and healthy endpoints take turns when one delivery may be in flight', (t) => {
  const queue = createFairQueue({ ...limits, concurrency: 1, endpointConcurrency: 1 });
  addToQueue(queue, 'a', 1);
  addToQueue(queue, 'b', 1);
  sendAll(queue);

  end(queue, 'a', 'time-out');

  t.is(inFlightOf(queue, 'b'), 1);
});

test('the cap of an endpoint is remembered while the endpoint holds no deliveries', (t) => {
  const queue = createFairQueue(limits);
  for (const [id, pace] of [
    ['slow', 'time-out'],
    ['well', 'quick'],
  ] as const) {
    addToQueue(queue, id, 1);
    sendAll(queue);
    end(queue, id, pace);
  }
  t.is(queue.size, 0);
  t.deepEqual(
    [...queue.slotsByEndpoint()],
    [['slow', 8]],
    'the first claim for a slow endpoint takes fewer deliveries',
  );

  addToQueue(queue, 'slow', 5);
  addToQueue(queue, 'well', 5);
  sendAll(queue);

  t.is(inFlightOf(queue, 'slow'), 1);
  t.is(inFlightOf(queue, 'well'), 4);
});

for (const [place, isSent] of [
  ['waits', false],
  ['is in flight', true],
] as const) {
  test(`a delivery that is leased again while it ${place} is held only once, with its new lease`, (t) => {
    const queue = createFairQueue(limits);
    const delivery = { id: 'one', endpointId: 'a', lease: 'old', target: { merchantId: 'b', mode: 'live' } } as Claimed;
    queue.add([delivery], { statementAtMs: 0, nowMs: 0 });
    const sentBefore = isSent ? sendAll(queue) : [];

    queue.add([{ ...delivery, lease: 'new' }], { statementAtMs: 0, nowMs: 0 });

    t.deepEqual([...sentBefore, ...sendAll(queue)], [delivery]);
    t.is(delivery.lease, 'new');
    queue.end(delivery, 'other');
    t.is(queue.size, 0);
  });
}

test('a delivery in flight that is leased for its next attempt is sent again', (t) => {
  const queue = createFairQueue(limits);
  const target = { merchantId: 'b', mode: 'live' };
  const first = { id: 'one', endpointId: 'a', lease: 'old', attemptCount: 0, target } as Claimed;
  const second = { ...first, lease: 'new', attemptCount: 1 };
  for (const delivery of [first, second]) queue.add([delivery], { statementAtMs: 0, nowMs: 0 });

  t.deepEqual(sendAll(queue), [first, second]);
  t.is(first.lease, 'old');
  queue.end(first, 'other');
  queue.add([{ ...second, lease: 'third' }], { statementAtMs: 0, nowMs: 0 });
  t.deepEqual(sendAll(queue), []);
  t.is(second.lease, 'third');
});

test('a delivery that is no longer held can be claimed again', (t) => {
  const queue = createFairQueue(limits);
  const delivery = { id: 'one', endpointId: 'a', target: { merchantId: 'b', mode: 'live' } } as Claimed;
  const addAgain = () => queue.add([delivery], { statementAtMs: 0, nowMs: 0 });

  addAgain();
  t.is(queue.takeWaiting().length, 1);
  addAgain();
  queue.findStale(60_000);
  t.is(queue.takeStale().length, 1);
  addAgain();
  for (const sent of sendAll(queue)) queue.end(sent, 'other');
  addAgain();

  t.deepEqual(sendAll(queue), [delivery]);
});
