import type { EventOwner, WaitForEvent } from '@tillhook/server/src/context.ts';
import { createEventWaits, type FoundEvent, type Watched } from '@tillhook/server/src/delivery/log/event-waits.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';

const owner: EventOwner = { merchantId: '019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f60', mode: 'test' };
const other: EventOwner = { merchantId: '019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f61', mode: 'live' };
const hourMs = 3_600_000;

const call = (since: bigint, more: Partial<WaitForEvent> = {}): WaitForEvent => ({
  since,
  leftMs: hourMs,
  signal: undefined,
  isPatient: false,
  ...more,
});

/** Waits whose query finds these events. Without `everyMs`, only `ring` and new calls make it look. */
function waitsFor(found: FoundEvent[], { everyMs = hourMs, soonMs = 1 } = {}) {
  const asked: Watched[][] = [];
  const failures: unknown[] = [];
  const state = { error: undefined as Error | undefined };
  const find = async (watched: readonly Watched[]) => {
    asked.push([...watched]);
    if (state.error) throw state.error;
    const isAsked = (event: FoundEvent) =>
      watched.some(({ merchantId, since }) => merchantId === event.merchantId && BigInt(event.position) >= since);
    return found.filter(isAsked);
  };
  const waits = createEventWaits({ find, onFailure: (error) => failures.push(error) }, { everyMs, soonMs });
  return { waits, asked, failures, state };
}

test('ends the calls that have not read the event, and no others', async (t) => {
  const found: FoundEvent[] = [];
  const { waits } = waitsFor(found);
  const [before, after, elsewhere] = [
    waits.next(owner, call(5n)),
    waits.next(owner, call(8n)),
    waits.next(other, call(1n)),
  ];
  found.push({ ...owner, position: '7', isFinal: true });
  waits.ring(owner);

  t.true(await before);
  t.is(waits.count(), 2);
  waits.stop();
  t.deepEqual([await after, await elsewhere], [false, false]);
  t.false(await waits.next(owner, call(1n)));
});

test('looks again and again while an event is not final', async (t) => {
  const event = { ...owner, position: '7', isFinal: false };
  const { waits, asked } = waitsFor([event]);
  const answer = waits.next(owner, call(5n));
  waits.ring(owner);

  await eventually(() => asked.length > 3, true);
  t.is(waits.count(), 1);
  event.isFinal = true;

  t.true(await answer);
  t.deepEqual(asked[0], [{ ...owner, since: 5n }]);
});

test('one query looks for all merchants, at the lowest position of each', async (t) => {
  const { waits, asked } = waitsFor([], { everyMs: 20, soonMs: hourMs });
  const answers = [waits.next(owner, call(9n)), waits.next(owner, call(5n)), waits.next(other, call(7n))];

  await eventually(() => asked.length > 0, true);
  t.deepEqual(asked[0], [
    { ...owner, since: 5n },
    { ...other, since: 7n },
  ]);
  waits.stop();
  t.deepEqual(await Promise.all(answers), [false, false, false]);
});

test('a call that has read events which it does not look for is ended at the interval only', async (t) => {
  const found = [{ ...owner, position: '7', isFinal: true }];
  const rare = waitsFor(found);
  const patient = rare.waits.next(owner, call(5n, { isPatient: true }));
  const eager = rare.waits.next(owner, call(5n));
  rare.waits.ring(owner);
  t.true(await eager);
  rare.waits.ring(owner);
  t.is(rare.waits.count(), 1);
  rare.waits.stop();
  t.false(await patient);

  const frequent = waitsFor(found, { everyMs: 5 });
  t.true(await frequent.waits.next(owner, call(5n, { isPatient: true })));
  frequent.waits.stop();
});

test('nothing is looked for while no call waits', async (t) => {
  const { waits, asked } = waitsFor([], { everyMs: 1 });
  waits.ring(owner);
  t.false(await waits.next(owner, call(5n, { leftMs: 20 })));
  t.is(waits.count(), 0);
  const looks = asked.length;
  t.true(looks > 0);

  waits.ring(owner);
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.is(asked.length, looks);
});

test('a query that fails ends the calls, so that each finds out by itself', async (t) => {
  const { waits, state, failures } = waitsFor([]);
  state.error = new Error('no answer');
  const answer = waits.next(owner, call(5n));
  waits.ring(owner);

  t.true(await answer);
  t.deepEqual(failures, [state.error]);
});

test('a caller who has gone does not wait', async (t) => {
  const { waits } = waitsFor([]);
  const gone = new AbortController();
  const answer = waits.next(owner, call(5n, { signal: gone.signal }));
  gone.abort();

  t.false(await answer);
  t.false(await waits.next(owner, call(5n, { signal: gone.signal })));
  t.is(waits.count(), 0);
});
