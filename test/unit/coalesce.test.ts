import { coalesce } from '@tillhook/server/src/kit/coalesce.ts';
import test from 'ava';

function heldWork() {
  const begun: (() => void)[] = [];
  return { begun, work: () => new Promise<void>((letGo) => begun.push(letGo)) };
}

const noComplaint = (error: unknown) => {
  throw error;
};

test('after many wake-ups during a run, the work runs once more', async (t) => {
  const { begun, work } = heldWork();
  const { ring, stop } = coalesce(work, noComplaint);

  for (let times = 0; times < 5; times += 1) ring();
  t.is(begun.length, 1);
  begun[0]?.();
  await new Promise(setImmediate);
  t.is(begun.length, 2);
  begun[1]?.();
  await stop();

  t.is(begun.length, 2);
});

test('stopping waits for the running work and starts no further run', async (t) => {
  const { begun, work } = heldWork();
  const { ring, stop } = coalesce(work, noComplaint);
  ring();
  ring();

  const stopped = stop();
  begun[0]?.();
  await stopped;
  ring();

  t.is(begun.length, 1);
});

test('the work counts as idle only after the run for wake-ups during the previous run has ended too', async (t) => {
  const { begun, work } = heldWork();
  const { ring, idle } = coalesce(work, noComplaint);
  await idle();
  ring();
  ring();
  let isIdle = false;
  const watching = idle().then(() => {
    isIdle = true;
  });

  begun[0]?.();
  await new Promise(setImmediate);
  t.false(isIdle);
  begun[1]?.();
  await watching;

  t.is(begun.length, 2);
});

test('a failure of the work is reported, and the next wake-up starts the work again', async (t) => {
  const complaints: unknown[] = [];
  const { ring, stop } = coalesce(
    () => Promise.reject(new Error('Away')),
    (error) => complaints.push(error),
  );

  ring();
  await new Promise(setImmediate);
  ring();
  await stop();

  t.is(complaints.length, 2);
});
