import { setImmediate } from 'node:timers/promises';
import { createOrigins, type UnsentAttempt } from '@tillhook/server/src/wire/origins.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';

async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

const shop = 'https://shop.example';

function enterMany(count: number, maxConnections = 256) {
  const origins = createOrigins(maxConnections);
  const dispatched: number[] = [];
  const attempts = Array.from({ length: count }, (_, index) => ({
    startedMs: performance.now(),
    isOver: false,
    dispatch: () => void dispatched.push(index),
  }));
  for (const attempt of attempts) origins.enter(shop, attempt satisfies UnsentAttempt);
  return { origins, dispatched, attempts };
}

test('an origin gets at most 64 connections, and when attempts have ended, the next attempts are dispatched in the next turn of the event loop', async (t) => {
  const { origins, dispatched } = enterMany(67);
  t.is(dispatched.length, 64);

  origins.leave(shop);
  origins.leave(shop);
  t.is(dispatched.length, 64);
  await nextTurn();

  t.deepEqual(dispatched.slice(64), [64, 65]);
});

test('attempts to another origin do not wait while the connections of one origin are in use', (t) => {
  const { origins } = enterMany(100);
  let isDispatched = false;

  origins.enter('https://other.example', {
    startedMs: performance.now(),
    isOver: false,
    dispatch() {
      isDispatched = true;
    },
  });

  t.true(isDispatched);
});

test('the limit of an origin is doubled each time an attempt has waited for a tenth of a second', async (t) => {
  const { dispatched } = enterMany(256);
  t.is(dispatched.length, 64);

  await eventually(() => dispatched.length, 256);

  t.deepEqual(
    dispatched,
    Array.from({ length: 256 }, (_, index) => index),
  );
});

test('an origin never gets more connections than the number of deliveries that may be in flight', async (t) => {
  const { dispatched } = enterMany(101, 100);
  await eventually(() => dispatched.length, 100);

  // The wait is at least as long as the 101st attempt above would have had to wait.
  const { dispatched: later } = enterMany(65);
  await eventually(() => later.length, 65);

  t.is(dispatched.length, 100);
});

test('an attempt whose time ran out while it waited is not dispatched', async (t) => {
  const { origins, dispatched, attempts } = enterMany(66);
  for (const attempt of attempts.slice(64, 65)) attempt.isOver = true;

  origins.leave(shop);
  await nextTurn();

  t.deepEqual(dispatched.slice(64), [65]);
});

test('the limit of an origin is 64 again after all its attempts have ended', async (t) => {
  const { origins, dispatched, attempts } = enterMany(65);
  await eventually(() => dispatched.length, 65);
  for (const _ of attempts) origins.leave(shop);

  for (const attempt of attempts) origins.enter(shop, { ...attempt, startedMs: performance.now() });

  t.is(dispatched.length, 65 + 64);
});

test('all waiting attempts are dispatched before the connections are closed', (t) => {
  const { origins, dispatched } = enterMany(100);

  origins.dispatchAll();

  t.is(dispatched.length, 100);
});
