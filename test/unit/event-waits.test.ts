import type { EventOwner, EventWaits, WaitForEvent } from '@tillhook/server/src/context.ts';
import { createEventWaits, type FoundEvent, type Watched } from '@tillhook/server/src/webhooks/events/event-waits.ts';
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

const isWoken = async () => true;

/** Without `everyMs`, the query runs only after `ring` and after new calls. */
function waitsFor(found: FoundEvent[], { everyMs = hourMs, soonMs = 1 } = {}) {
  const queries: Watched[][] = [];
  const failures: unknown[] = [];
  const state = { error: undefined as Error | undefined };
  const find = async (watched: readonly Watched[]) => {
    queries.push([...watched]);
    if (state.error) throw state.error;
    const isAsked = (event: FoundEvent) =>
      watched.some(({ merchantId, since }) => merchantId === event.merchantId && BigInt(event.position) >= since);
    return found.filter(isAsked);
  };
  const waits = createEventWaits({ find, onFailure: (error) => failures.push(error) }, { everyMs, soonMs });
  return { waits, queries, failures, state, next: nextOf(waits) };
}

function nextOf(waits: EventWaits) {
  return (who: EventOwner, wait: WaitForEvent) => waits.next(who, wait, isWoken);
}

test('an event wakes the calls that have not read it, and no other calls', async (t) => {
  const found: FoundEvent[] = [];
  const { waits, next } = waitsFor(found);
  const [before, after, elsewhere] = [next(owner, call(5n)), next(owner, call(8n)), next(other, call(1n))];
  found.push({ ...owner, position: '7', isFinal: true });
  waits.ring(owner);

  t.true(await before);
  t.is(waits.count(), 2);
  waits.stop();
  t.deepEqual([await after, await elsewhere], [null, null]);
  t.is(await next(owner, call(1n)), null);
});

test('an event that is not final is queried repeatedly until it is final', async (t) => {
  const event = { ...owner, position: '7', isFinal: false };
  const { waits, queries, next } = waitsFor([event]);
  const answer = next(owner, call(5n));
  waits.ring(owner);

  await eventually(() => queries.length > 3, true);
  t.is(waits.count(), 1);
  event.isFinal = true;

  t.true(await answer);
  t.deepEqual(queries[0], [{ ...owner, since: 5n }]);
});

test('one query finds the events of all merchants, for each merchant after the lowest position of its waiting calls', async (t) => {
  const { waits, queries, next } = waitsFor([], { everyMs: 20, soonMs: hourMs });
  const answers = [next(owner, call(9n)), next(owner, call(5n)), next(other, call(7n))];

  await eventually(() => queries.length > 0, true);
  t.deepEqual(queries[0], [
    { ...owner, since: 5n },
    { ...other, since: 7n },
  ]);
  waits.stop();
  t.deepEqual(await Promise.all(answers), [null, null, null]);
});

test('a call that has already read events, all of which its filter excluded, is woken only at a fixed interval', async (t) => {
  const found = [{ ...owner, position: '7', isFinal: true }];
  const rare = waitsFor(found);
  const patient = rare.next(owner, call(5n, { isPatient: true }));
  const eager = rare.next(owner, call(5n));
  rare.waits.ring(owner);
  t.true(await eager);
  rare.waits.ring(owner);
  t.is(rare.waits.count(), 1);
  rare.waits.stop();
  t.is(await patient, null);

  const frequent = waitsFor(found, { everyMs: 5 });
  t.true(await frequent.next(owner, call(5n, { isPatient: true })));
  frequent.waits.stop();
});

test('there is no query while no call waits', async (t) => {
  const { waits, queries, next } = waitsFor([], { everyMs: 1 });
  waits.ring(owner);
  t.is(await next(owner, call(5n, { leftMs: 20 })), null);
  t.is(waits.count(), 0);
  const looks = queries.length;
  t.true(looks > 0);

  waits.ring(owner);
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.is(queries.length, looks);
});

test('if the query fails, the waiting calls fail, so that not all of them query the database again', async (t) => {
  const { waits, state, failures, next } = waitsFor([]);
  state.error = new Error('no answer');
  const answer = next(owner, call(5n));
  waits.ring(owner);

  t.is(await t.throwsAsync(answer), state.error);
  t.deepEqual(failures, [state.error]);
  t.is(waits.count(), 0);
});

test('a call whose client has disconnected does not wait', async (t) => {
  const { waits, next } = waitsFor([]);
  const gone = new AbortController();
  const answer = next(owner, call(5n, { signal: gone.signal }));
  gone.abort();

  t.is(await answer, null);
  t.is(await next(owner, call(5n, { signal: gone.signal })), null);
  t.is(waits.count(), 0);
});

function readingCalls(next: EventWaits['next'], owners: EventOwner[]) {
  const reading: { index: number; finish: () => void }[] = [];
  const answers = owners.map((who, index) =>
    next(who, call(5n), () => new Promise<number>((resolve) => reading.push({ index, finish: () => resolve(index) }))),
  );
  return { reading, answers };
}

test('only a few of many woken calls read at the same time, and each read that ends lets the next call read', async (t) => {
  const { waits } = waitsFor([{ ...owner, position: '7', isFinal: true }]);
  const { reading, answers } = readingCalls(waits.next, Array(50).fill(owner));
  waits.ring(owner);

  const read: number[] = [];
  while (read.length < 50) {
    await eventually(() => reading.length > 0, true);
    t.true(reading.length <= 4, `${reading.length} read at once`);
    const { index, finish } = reading.shift() as (typeof reading)[number];
    read.push(index);
    finish();
    await answers[index];
  }

  t.deepEqual(
    read,
    read.toSorted((one, two) => one - two),
  );
});

test('a merchant’s woken call does not wait for all woken calls of another merchant', async (t) => {
  const found = [owner, other].map((who) => ({ ...who, position: '7', isFinal: true }));
  const { waits } = waitsFor(found);
  const { reading } = readingCalls(waits.next, [...Array(50).fill(owner), other]);
  waits.ring(owner);
  await eventually(() => reading.length, 4);
  waits.ring(other);

  // Two calls of the merchant with many calls were first in the queue when the call of the other merchant was woken.
  for (let turn = 0; turn < 2; turn += 1) {
    reading.shift()?.finish();
    await eventually(() => reading.length, 4);
  }

  t.true(reading.some(({ index }) => index === 50));
  waits.stop();
});

test('a woken call may time out before its turn to read, and after a failed read the next call reads', async (t) => {
  const { waits } = waitsFor([{ ...owner, position: '7', isFinal: true }]);
  const failing = () => Promise.reject(new Error('The read failed.'));
  const { reading } = readingCalls(waits.next, Array(4).fill(owner));
  const late = waits.next(owner, call(5n, { leftMs: 500 }), isWoken);
  const failed = waits.next(owner, call(5n), failing);
  const last = waits.next(owner, call(5n), isWoken);
  waits.ring(owner);

  t.is(await late, null);
  t.is(waits.count(), 2);
  reading.shift()?.finish();

  await t.throwsAsync(failed, { message: 'The read failed.' });
  t.true(await last);
});
