import { createClaimPlan } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import type { Claim, ClaimRequest, Exclusion } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { firstEndpoint } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test from 'ava';

/** By default, all endpoints together may hold 32 deliveries, and one endpoint 8. */
const concurrency = 4;

interface Circumstances {
  isFullyInFlight?: boolean;
  mayHold?: Record<string, number>;
  excluded?: Exclusion[];
}

function holding(
  counts: Record<string, number>,
  { isFullyInFlight = true, mayHold = {}, excluded = [] }: Circumstances = {},
) {
  const size = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const maxHeld = (id: string) => mayHold[id] ?? 8;
  return {
    freeCapacity: () => 32 - size,
    slots: () => 32 - size,
    excluded: () => excluded,
    isFullyInFlight,
    slotsPerNewEndpoint: 8,
    slotsByEndpoint: () => new Map(Object.entries(counts).map(([id, count]) => [id, maxHeld(id) - count])),
    isLow: (id: string) => (counts[id] ?? 0) <= maxHeld(id) / 2,
  };
}

function found(taken: Record<string, number>, isFull = false): Claim {
  return {
    deliveries: [],
    taken: new Map(Object.entries(taken)),
    isFull,
    last: Object.keys(taken).at(-1) ?? firstEndpoint,
  };
}

function planAfter(claim: Claim) {
  const plan = createClaimPlan(concurrency);
  plan.noteWakeUp();
  plan.finish(plan.begin(holding({})) as ClaimRequest, claim);
  return plan;
}

test('there is no claim before a wake-up, and one claim after the wake-up', (t) => {
  const plan = createClaimPlan(concurrency);
  t.is(plan.begin(holding({})), undefined);

  plan.noteWakeUp();
  t.like(plan.begin(holding({ a: 3 })), {
    slots: 29,
    slotsPerEndpoint: 8,
    slotsOf: new Map([['a', 5]]),
    after: firstEndpoint,
  });

  t.is(plan.begin(holding({})), undefined);
});

test('a wake-up during a claim is followed by another claim', (t) => {
  const plan = createClaimPlan(concurrency);
  plan.noteWakeUp();
  const request = plan.begin(holding({})) as ClaimRequest;
  plan.noteWakeUp();
  plan.finish(request, found({}));

  t.truthy(plan.begin(holding({})));
});

test('a wake-up causes no claim while there is no free capacity', (t) => {
  const plan = createClaimPlan(concurrency);
  plan.noteWakeUp();
  t.is(plan.begin(holding({ a: 8, b: 8, c: 8, d: 8 })), undefined);

  t.like(plan.begin(holding({ a: 8, b: 8, c: 8, d: 7 })), { slots: 1 });
});

test('there is no further claim for an endpoint with fewer due deliveries than it may hold', (t) => {
  const plan = planAfter(found({ a: 7 }));

  t.is(plan.begin(holding({})), undefined);
});

test('when an endpoint with more due deliveries holds half of its maximum, there is another claim for it', (t) => {
  const plan = planAfter(found({ a: 8 }));

  t.is(plan.begin(holding({ a: 5 })), undefined);
  t.like(plan.begin(holding({ a: 4 })), { slotsOf: new Map([['a', 4]]) });
});

test('there is another claim for an endpoint that held its maximum when the last claim began', (t) => {
  const plan = createClaimPlan(concurrency);
  plan.noteWakeUp();
  plan.finish(plan.begin(holding({ a: 8 })) as ClaimRequest, found({}));

  t.truthy(plan.begin(holding({ a: 4 })));
});

test('after a claim that fills its slots, the next claim begins after its last endpoint, and the claim after that at the first endpoint', (t) => {
  const plan = planAfter(found({ a: 8, b: 8, c: 8, d: 8 }, true));
  t.is(plan.begin(holding({ a: 8, b: 8, c: 1 })), undefined);

  const rest = plan.begin(holding({ a: 8, b: 8 })) as ClaimRequest;
  t.is(rest.after, 'd');
  plan.finish(rest, found({ e: 1 }));

  t.like(plan.begin(holding({ a: 8, b: 8 })), { after: firstEndpoint });
});

test('endpoints that hold many deliveries for a long time do not delay the next endpoints', (t) => {
  const plan = planAfter(found({ a: 8, b: 8, c: 8, d: 8 }, true));

  t.like(plan.begin(holding({ a: 8, b: 8, c: 8 }, { isFullyInFlight: false })), { slots: 8, after: 'd' });
});

test('there is another claim immediately for an endpoint whose share of the capacity has grown', (t) => {
  const plan = planAfter(found({ a: 8 }));

  t.like(plan.begin(holding({ a: 8 }, { isFullyInFlight: false, mayHold: { a: 16 } })), {
    slotsOf: new Map([['a', 8]]),
  });
});

test('the claim plan assumes that more deliveries are due until a claim finds fewer deliveries than it may take', (t) => {
  const plan = planAfter(found({ a: 8 }));
  t.true(plan.isMoreDue);

  plan.finish(plan.begin(holding({ a: 4 })) as ClaimRequest, found({ a: 3 }));
  t.false(plan.isMoreDue);

  t.true(planAfter(found({ a: 8, b: 8, c: 8, d: 8 }, true)).isMoreDue);
});

test('when a claim has left out a merchant, there is another claim as soon as the merchant may hold more deliveries again', (t) => {
  const plan = createClaimPlan(concurrency);
  const leftOut = [{ merchantId: 'busy' }, { mode: 'test' as const }];
  plan.noteWakeUp();
  const request = plan.begin(holding({}, { excluded: leftOut })) as ClaimRequest;
  t.deepEqual(request.excluded, leftOut);
  plan.finish(request, found({}));

  t.is(plan.begin(holding({}, { excluded: leftOut })), undefined);
  t.true(plan.isMoreDue, 'other endpoints may have due deliveries that the claim left out');
  t.like(plan.begin(holding({}, { excluded: [{ mode: 'test' }] })), { excluded: [{ mode: 'test' }] });
  t.is(plan.begin(holding({}, { excluded: [{ mode: 'test' }] })), undefined);
});
