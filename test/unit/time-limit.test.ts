import { setTimeout as sleep } from 'node:timers/promises';
import { createTimeLimit } from '@tillhook/server/src/wire/time-limit.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';

const limitMs = 100;

test('attempts that last too long are ended in the order in which they began, and no attempt is ended before its time', async (t) => {
  const timeLimit = createTimeLimit(limitMs);
  const ended: { name: string; afterMs: number }[] = [];
  const begin = (name: string) => {
    const startedMs = performance.now();
    const limited = {
      startedMs,
      endInTime: () => void ended.push({ name, afterMs: performance.now() - startedMs }),
    };
    timeLimit.add(limited);
    return limited;
  };

  begin('first');
  const quick = begin('quick');
  await sleep(limitMs / 2);
  begin('second');
  timeLimit.remove(quick);
  await eventually(() => ended.length, 2);
  // No attempt is running now, so the next attempt must start the timer again.
  begin('third');
  await eventually(() => ended.length, 3);

  t.deepEqual(
    ended.map(({ name }) => name),
    ['first', 'second', 'third'],
  );
  t.true(ended.every(({ afterMs }) => afterMs >= limitMs));
});
