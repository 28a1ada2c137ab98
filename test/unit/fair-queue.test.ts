import type { Claimed } from '@tillhook/server/src/context.ts';
import { createFairQueue } from '@tillhook/server/src/webhooks/dispatch/fair-queue.ts';
import test from 'ava';

const limits = { concurrency: 3, endpointConcurrency: 2, leaseMs: 60_000, timeoutMs: 15_000 };

const atZero = { statementAtMs: 0, nowMs: 0 };

const claimed = (endpointId: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const target = { merchantId: `merchant of ${endpointId}`, mode: 'live' };
    return { id: `${endpointId}${index + 1}`, endpointId, target } as Claimed;
  });

function sendAll(queue: ReturnType<typeof createFairQueue>, nowMs = 0): Claimed[] {
  const sent: Claimed[] = [];
  for (let next = queue.next(nowMs); next; next = queue.next(nowMs)) sent.push(next);
  return sent;
}

const ids = (deliveries: Claimed[]) => deliveries.map(({ id }) => id);

test('an endpoint has at most as many deliveries in flight as its cap, and the next delivery is sent when one of them ends', (t) => {
  const queue = createFairQueue(limits);
  queue.add(claimed('a', 4), atZero);

  const sent = sendAll(queue);
  t.deepEqual(ids(sent), ['a1', 'a2']);

  for (const delivery of sent.slice(1)) queue.end(delivery, 'other');
  t.deepEqual(ids(sendAll(queue)), ['a3']);
  t.is(queue.size, 3);
});

test('all endpoints together have at most as many deliveries in flight as the process may have', (t) => {
  const queue = createFairQueue(limits);
  queue.add([...claimed('a', 2), ...claimed('b', 2)], atZero);

  t.is(sendAll(queue).length, 3);

  t.true(queue.isFullyInFlight);
  t.deepEqual(
    [...queue.slotsByEndpoint()],
    [
      ['a', 13],
      ['b', 13],
    ],
  );
});

test('endpoints take turns, even if many deliveries of one endpoint wait', (t) => {
  const queue = createFairQueue({ ...limits, concurrency: 1 });
  queue.add([...claimed('a', 3), ...claimed('b', 1), ...claimed('c', 2)], atZero);

  const order: string[] = [];
  for (let next = queue.next(0); next; next = queue.next(0)) {
    order.push(next.id);
    queue.end(next, 'other');
  }

  t.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  t.is(queue.size, 0);
});

test('a delivery that waited too long is never sent, but a later delivery of its endpoint is sent', (t) => {
  const queue = createFairQueue({ ...limits, leaseMs: 20_000, timeoutMs: 12_000 });
  queue.add(claimed('a', 1), atZero);
  queue.add(claimed('a', 2).slice(1), { statementAtMs: 1, nowMs: 1 });

  t.deepEqual(ids(sendAll(queue, 4001)), ['a2']);

  t.deepEqual(ids(queue.takeStale()), ['a1']);
  t.deepEqual(queue.takeStale(), []);
  t.is(queue.size, 1);
});

test('a delivery that waited too long is taken out of the queue, even if its endpoint never gets a turn', (t) => {
  const queue = createFairQueue(limits);
  queue.add(claimed('a', 3), atZero);
  sendAll(queue);

  queue.findStale(5000);
  t.deepEqual(queue.takeStale(), []);
  queue.findStale(5001);

  t.deepEqual(ids(queue.takeStale()), ['a3']);
  t.is(queue.size, 2);
});

test('no delivery waits longer than five seconds, even with a long lease', (t) => {
  const queue = createFairQueue({ ...limits, leaseMs: 3_600_000 });
  queue.add(claimed('a', 1), atZero);

  t.is(queue.next(5001), undefined);

  t.is(queue.takeStale().length, 1);
});

test('the deliveries of a slow claim are sent if their leases still last long enough', (t) => {
  const queue = createFairQueue(limits);
  queue.add(claimed('a', 2), { statementAtMs: 0, nowMs: 20_000 });

  t.deepEqual(ids([queue.next(22_500) as Claimed]), ['a1']);
  t.is(queue.next(22_501), undefined);
});

test('waiting deliveries of one endpoint or of all endpoints can be removed, and deliveries in flight remain', (t) => {
  const queue = createFairQueue({ ...limits, endpointConcurrency: 1 });
  queue.add([...claimed('a', 3), ...claimed('b', 2)], atZero);
  sendAll(queue);

  t.deepEqual(ids(queue.takeWaiting('a')), ['a2', 'a3']);
  t.deepEqual(ids(queue.takeWaiting()), ['b2']);

  t.deepEqual(ids(queue.inFlight()), ['a1', 'b1']);
  t.is(queue.slotsByEndpoint().get('a'), 7);
  t.deepEqual(sendAll(queue), []);
});

test('whenNoneInFlight resolves when the last delivery in flight has ended', async (t) => {
  const queue = createFairQueue(limits);
  await queue.whenNoneInFlight();
  queue.add(claimed('a', 1), atZero);
  const [delivery] = sendAll(queue);
  let hasLanded = false;
  const landed = queue.whenNoneInFlight().then(() => {
    hasLanded = true;
  });

  await Promise.resolve();
  t.false(hasLanded);

  queue.end(delivery as Claimed, 'other');
  await landed;
  t.true(hasLanded);
});
