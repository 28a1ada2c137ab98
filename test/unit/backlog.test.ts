import { createBacklog } from '@tillhook/server/src/delivery/dispatch/backlog.ts';
import type { Claimed } from '@tillhook/server/src/delivery/queue/claim.ts';
import test from 'ava';

const limits = { concurrency: 3, endpointConcurrency: 2, leaseMs: 60_000, timeoutMs: 15_000 };

const atZero = { askedAtMs: 0, nowMs: 0 };

/** Deliveries of one endpoint, numbered from 1. Each endpoint has a merchant to itself. */
const claimed = (endpointId: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const target = { merchantId: `merchant of ${endpointId}`, mode: 'live' };
    return { id: `${endpointId}${index + 1}`, endpointId, target } as Claimed;
  });

function sendAll(backlog: ReturnType<typeof createBacklog>, nowMs = 0): Claimed[] {
  const sent: Claimed[] = [];
  for (let next = backlog.next(nowMs); next; next = backlog.next(nowMs)) sent.push(next);
  return sent;
}

const ids = (deliveries: Claimed[]) => deliveries.map(({ id }) => id);

test('an endpoint has no more in flight than its cap, and the next goes when one ends', (t) => {
  const backlog = createBacklog(limits);
  backlog.add(claimed('a', 4), atZero);

  const sent = sendAll(backlog);
  t.deepEqual(ids(sent), ['a1', 'a2']);

  for (const delivery of sent.slice(1)) backlog.end(delivery, 'other');
  t.deepEqual(ids(sendAll(backlog)), ['a3']);
  t.is(backlog.size, 3);
});

test('all endpoints together have no more in flight than the cap', (t) => {
  const backlog = createBacklog(limits);
  backlog.add([...claimed('a', 2), ...claimed('b', 2)], atZero);

  t.is(sendAll(backlog).length, 3);

  t.true(backlog.isFullyInFlight);
  t.deepEqual(
    [...backlog.rooms()],
    [
      ['a', 13],
      ['b', 13],
    ],
  );
});

test('endpoints take turns, however many one of them has waiting', (t) => {
  const backlog = createBacklog({ ...limits, concurrency: 1 });
  backlog.add([...claimed('a', 3), ...claimed('b', 1), ...claimed('c', 2)], atZero);

  const order: string[] = [];
  for (let next = backlog.next(0); next; next = backlog.next(0)) {
    order.push(next.id);
    backlog.end(next, 'other');
  }

  t.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  t.is(backlog.size, 0);
});

test('what waited too long for its lease is never sent, and what came later is', (t) => {
  const backlog = createBacklog({ ...limits, leaseMs: 20_000, timeoutMs: 12_000 });
  backlog.add(claimed('a', 1), atZero);
  backlog.add(claimed('a', 2).slice(1), { askedAtMs: 1, nowMs: 1 });

  t.deepEqual(ids(sendAll(backlog, 4001)), ['a2']);

  t.deepEqual(ids(backlog.takeStale()), ['a1']);
  t.deepEqual(backlog.takeStale(), []);
  t.is(backlog.size, 1);
});

test('what waited too long is let go of, though its endpoint never gets a turn', (t) => {
  const backlog = createBacklog(limits);
  backlog.add(claimed('a', 3), atZero);
  sendAll(backlog);

  backlog.sweep(5000);
  t.deepEqual(backlog.takeStale(), []);
  backlog.sweep(5001);

  t.deepEqual(ids(backlog.takeStale()), ['a3']);
  t.is(backlog.size, 2);
});

test('however long the lease, nothing waits longer than five seconds', (t) => {
  const backlog = createBacklog({ ...limits, leaseMs: 3_600_000 });
  backlog.add(claimed('a', 1), atZero);

  t.is(backlog.next(5001), undefined);

  t.is(backlog.takeStale().length, 1);
});

test('a claim that the database was slow to answer is sent all the same while its lease allows', (t) => {
  const backlog = createBacklog(limits);
  backlog.add(claimed('a', 2), { askedAtMs: 0, nowMs: 20_000 });

  t.deepEqual(ids([backlog.next(22_500) as Claimed]), ['a1']);
  t.is(backlog.next(22_501), undefined);
});

test('what waits can be taken back, of one endpoint or of all, and what is in flight stays', (t) => {
  const backlog = createBacklog({ ...limits, endpointConcurrency: 1 });
  backlog.add([...claimed('a', 3), ...claimed('b', 2)], atZero);
  sendAll(backlog);

  t.deepEqual(ids(backlog.takeWaiting('a')), ['a2', 'a3']);
  t.deepEqual(ids(backlog.takeWaiting()), ['b2']);

  t.deepEqual(ids(backlog.inFlight()), ['a1', 'b1']);
  t.is(backlog.rooms().get('a'), 7);
  t.deepEqual(sendAll(backlog), []);
});

test('it says when nothing is in flight any more', async (t) => {
  const backlog = createBacklog(limits);
  await backlog.landed();
  backlog.add(claimed('a', 1), atZero);
  const [delivery] = sendAll(backlog);
  let hasLanded = false;
  const landed = backlog.landed().then(() => {
    hasLanded = true;
  });

  await Promise.resolve();
  t.false(hasLanded);

  backlog.end(delivery as Claimed, 'other');
  await landed;
  t.true(hasLanded);
});
