import { createBacklog } from '@tillhook/server/src/webhooks/dispatch/backlog.ts';
import type { AttemptPace } from '@tillhook/server/src/webhooks/dispatch/caps.ts';
import { createClaimPlan } from '@tillhook/server/src/webhooks/dispatch/claim-plan.ts';
import type { ClaimRequest } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { firstEndpoint } from '@tillhook/server/src/webhooks/queue/claim.ts';
import type { Claimed } from '@tillhook/server/src/wire/claimed.ts';
import test from 'ava';

type Backlog = ReturnType<typeof createBacklog>;

const limits = { concurrency: 256, endpointConcurrency: 16, leaseMs: 60_000, timeoutMs: 15_000 };

let made = 0;

/** Adds deliveries of an endpoint. Each endpoint has a different merchant. */
function addToBacklog(backlog: Backlog, endpointId: string, count: number): void {
  const target = { merchantId: `merchant of ${endpointId}`, mode: 'live' };
  const deliveries = Array.from({ length: count }, () => ({ id: `${made++}`, endpointId, target }) as Claimed);
  backlog.add(deliveries, { askedAtMs: 0, nowMs: 0 });
}

function sendAll(backlog: Backlog): Claimed[] {
  const sent: Claimed[] = [];
  for (let next = backlog.next(0); next; next = backlog.next(0)) sent.push(next);
  return sent;
}

const inFlightOf = (backlog: Backlog, endpointId: string) =>
  backlog.inFlight().filter((delivery) => delivery.endpointId === endpointId).length;

/** Ends one delivery in flight, and sends those that may follow. */
function end(backlog: Backlog, endpointId: string, pace: AttemptPace): void {
  const delivery = backlog.inFlight().find((one) => one.endpointId === endpointId);
  backlog.end(delivery as Claimed, pace);
  sendAll(backlog);
}

const hangingNames = (count: number) => Array.from({ length: count }, (_, index) => `hung-${index}`);

/** A backlog with endpoints that are known to hang, each with waiting deliveries. */
function backlogWithHanging(count: number): Backlog {
  const backlog = createBacklog(limits);
  for (const id of hangingNames(count)) {
    addToBacklog(backlog, id, 16);
    sendAll(backlog);
    end(backlog, id, 'time-out');
    for (const rest of backlog.inFlight()) if (rest.endpointId === id) backlog.end(rest, 'other');
  }
  return backlog;
}

test('a cap starts at two, doubles at each fast answer up to its maximum, and halves at each time-out down to one', (t) => {
  const backlog = createBacklog(limits);
  addToBacklog(backlog, 'a', 100);
  sendAll(backlog);
  const caps = [inFlightOf(backlog, 'a')];
  for (let ended = 0; ended < 4; ended++) {
    end(backlog, 'a', 'quick');
    caps.push(inFlightOf(backlog, 'a'));
  }
  t.deepEqual(caps, [2, 4, 8, 16, 16]);

  for (let ended = 0; ended < 20; ended++) end(backlog, 'a', 'time-out');

  t.is(inFlightOf(backlog, 'a'), 1);
  end(backlog, 'a', 'other');
  t.is(inFlightOf(backlog, 'a'), 1);
  end(backlog, 'a', 'quick');
  t.is(inFlightOf(backlog, 'a'), 2);
});

test('the number of deliveries that may be claimed follows the cap', (t) => {
  const backlog = createBacklog(limits);
  t.is(backlog.slotsPerNewEndpoint, 16);
  addToBacklog(backlog, 'a', 10);
  sendAll(backlog);
  t.is(backlog.slotsByEndpoint().get('a'), 6);

  end(backlog, 'a', 'quick');
  t.is(backlog.slotsByEndpoint().get('a'), 32 - 9);
  for (const _ of [1, 2]) end(backlog, 'a', 'time-out');

  t.is(backlog.slotsByEndpoint().get('a'), 8 - 7);
});

for (const count of [16, 32, 100]) {
  test(`${count} endpoints that begin to hang leave a new endpoint its slots and its place in the claims`, (t) => {
    const backlog = createBacklog(limits);
    for (const id of hangingNames(count)) addToBacklog(backlog, id, backlog.slotsPerNewEndpoint);
    sendAll(backlog);

    t.true(backlog.freeCapacity() > 0);
    addToBacklog(backlog, 'healthy', 1);

    t.is(sendAll(backlog)[0]?.endpointId, 'healthy');
  });
}

for (const count of [16, 32, 300]) {
  test(`${count} hanging endpoints hold at most a quarter of the window, and never delay a healthy one`, (t) => {
    const backlog = backlogWithHanging(count);
    sendAll(backlog);

    t.is(backlog.inFlight().length, Math.min(count, 64));
    for (let round = 0; round < 50; round++) {
      addToBacklog(backlog, 'healthy', 1);
      t.is(sendAll(backlog)[0]?.endpointId, 'healthy');
      end(backlog, 'healthy', 'quick');
    }
    t.is(backlog.inFlight().length, Math.min(count, 64));
  });
}

test('if each endpoint may have one delivery in flight, hanging endpoints still hold only a quarter of the window', (t) => {
  const backlog = createBacklog({ ...limits, endpointConcurrency: 1 });
  for (const id of hangingNames(300)) addToBacklog(backlog, id, 4);
  sendAll(backlog);
  for (const { endpointId } of backlog.inFlight()) end(backlog, endpointId, 'time-out');
  for (const { endpointId } of backlog.inFlight()) end(backlog, endpointId, 'time-out');

  addToBacklog(backlog, 'healthy', 1);

  t.is(sendAll(backlog)[0]?.endpointId, 'healthy');
  t.is(backlog.inFlight().length, 64 + 1);
});

test('slow endpoints share their part of the window in turn', (t) => {
  const backlog = backlogWithHanging(65);
  sendAll(backlog);
  const [first] = backlog.inFlight();
  const waits = hangingNames(65).find((id) => inFlightOf(backlog, id) === 0);

  end(backlog, first?.endpointId ?? '', 'time-out');

  t.is(inFlightOf(backlog, waits ?? ''), 1);
});

test('claims continue while many slow endpoints wait', (t) => {
  const plan = createClaimPlan(limits.concurrency);
  const backlog = backlogWithHanging(300);
  sendAll(backlog);
  t.true(backlog.size > 2048);

  plan.noteWakeUp();
  const request = plan.begin(backlog) as ClaimRequest;

  t.is(
    request.slots,
    1152,
    'as many as one merchant in test mode may hold, because all claimed deliveries may be of one merchant',
  );
  t.is(request.slotsOf.get('hung-0'), 0);
  plan.finish(request, { deliveries: [], taken: new Map([['healthy', 16]]), isFull: false, last: firstEndpoint });
  t.truthy(plan.begin(backlog), 'the healthy endpoint may have more due deliveries');
});

test('hanging and healthy endpoints share a single slot in flight', (t) => {
  const backlog = createBacklog({ ...limits, concurrency: 1, endpointConcurrency: 1 });
  addToBacklog(backlog, 'a', 1);
  addToBacklog(backlog, 'b', 1);
  sendAll(backlog);

  end(backlog, 'a', 'time-out');

  t.is(inFlightOf(backlog, 'b'), 1);
});

test('a cap is kept while an endpoint holds no deliveries', (t) => {
  const backlog = createBacklog(limits);
  for (const [id, pace] of [
    ['slow', 'time-out'],
    ['well', 'quick'],
  ] as const) {
    addToBacklog(backlog, id, 1);
    sendAll(backlog);
    end(backlog, id, pace);
  }
  t.is(backlog.size, 0);
  t.deepEqual(
    [...backlog.slotsByEndpoint()],
    [['slow', 8]],
    'fewer deliveries of a slow endpoint are claimed from the beginning',
  );

  addToBacklog(backlog, 'slow', 5);
  addToBacklog(backlog, 'well', 5);
  sendAll(backlog);

  t.is(inFlightOf(backlog, 'slow'), 1);
  t.is(inFlightOf(backlog, 'well'), 4);
});

for (const [place, isSent] of [
  ['waits', false],
  ['is in flight', true],
] as const) {
  test(`a delivery that is leased again while it ${place} is held once, under its new lease`, (t) => {
    const backlog = createBacklog(limits);
    const delivery = { id: 'one', endpointId: 'a', lease: 'old', target: { merchantId: 'b', mode: 'live' } } as Claimed;
    backlog.add([delivery], { askedAtMs: 0, nowMs: 0 });
    const sentBefore = isSent ? sendAll(backlog) : [];

    backlog.add([{ ...delivery, lease: 'new' }], { askedAtMs: 0, nowMs: 0 });

    t.deepEqual([...sentBefore, ...sendAll(backlog)], [delivery]);
    t.is(delivery.lease, 'new');
    backlog.end(delivery, 'other');
    t.is(backlog.size, 0);
  });
}

test('a delivery in flight that is leased for its next attempt is sent again', (t) => {
  const backlog = createBacklog(limits);
  const target = { merchantId: 'b', mode: 'live' };
  const first = { id: 'one', endpointId: 'a', lease: 'old', attemptCount: 0, target } as Claimed;
  const second = { ...first, lease: 'new', attemptCount: 1 };
  for (const delivery of [first, second]) backlog.add([delivery], { askedAtMs: 0, nowMs: 0 });

  t.deepEqual(sendAll(backlog), [first, second]);
  t.is(first.lease, 'old');
  backlog.end(first, 'other');
  backlog.add([{ ...second, lease: 'third' }], { askedAtMs: 0, nowMs: 0 });
  t.deepEqual(sendAll(backlog), []);
  t.is(second.lease, 'third');
});

test('a delivery that is no longer held can be claimed again', (t) => {
  const backlog = createBacklog(limits);
  const delivery = { id: 'one', endpointId: 'a', target: { merchantId: 'b', mode: 'live' } } as Claimed;
  const addAgain = () => backlog.add([delivery], { askedAtMs: 0, nowMs: 0 });

  addAgain();
  t.is(backlog.takeWaiting().length, 1);
  addAgain();
  backlog.findStale(60_000);
  t.is(backlog.takeStale().length, 1);
  addAgain();
  for (const sent of sendAll(backlog)) backlog.end(sent, 'other');
  addAgain();

  t.deepEqual(sendAll(backlog), [delivery]);
});
