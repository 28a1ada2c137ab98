import { createCaps, paceOf } from '@tillhook/server/src/webhooks/dispatch/fair-shares.ts';
import test from 'ava';

const answered = (durationMs: number, statusCode = 200) => paceOf({ durationMs, statusCode, error: null });
const failed = (durationMs: number, error: string) => paceOf({ durationMs, statusCode: null, error });

test('an answer within one second is quick, and an answer after more than two seconds is slow, whatever its status', (t) => {
  for (const status of [200, 404, 500]) {
    t.is(answered(999, status), 'quick');
    t.is(answered(1000, status), 'other');
    t.is(answered(2000, status), 'other');
    t.is(answered(2001, status), 'slow');
    t.is(answered(14_000, status), 'slow');
  }
});

test('an attempt that fails without an answer is slow if it took more than two seconds, and otherwise does not change the cap', (t) => {
  t.is(failed(1, 'connection_refused'), 'other');
  t.is(failed(2000, 'connection_reset'), 'other');
  t.is(failed(2001, 'connection_reset'), 'slow');
});

test('an attempt that times out is classed as a time-out, even if the time limit is short', (t) => {
  t.is(failed(200, 'timeout'), 'time-out');
  t.is(failed(15_000, 'connect_timeout'), 'time-out');
});

test('a quick answer doubles the cap of an endpoint, a slow answer or a time-out halves the cap, and other attempts do not change the cap', (t) => {
  const caps = createCaps(16);
  t.is(caps.start, 2);
  t.is(caps.after(8, 'quick'), 16);
  t.is(caps.after(16, 'quick'), 16);
  t.is(caps.after(16, 'slow'), 8);
  t.is(caps.after(16, 'time-out'), 8);
  t.is(caps.after(8, 'other'), 8);
  t.is(caps.after(2, 'slow'), 1);
  t.is(caps.after(1, 'slow'), 1);
});

test('an endpoint with a cap of one is slow until its first quick answer', (t) => {
  const caps = createCaps(16);
  t.false(caps.isSlow(caps.start));
  t.true(caps.isSlow(caps.after(caps.start, 'slow')));
  t.false(caps.isSlow(caps.after(1, 'quick')));
});

test('the caps of the last thousand fast endpoints and of the last thousand slow endpoints are remembered', (t) => {
  const caps = createCaps(16);
  caps.remember('slow', 1);
  for (let n = 0; n <= 1000; n++) caps.remember(`well-${n}`, 16);

  t.is(caps.recall('slow'), 1);
  t.is(caps.recall('well-0'), caps.start);
  t.is(caps.recall('well-1'), 16);
  t.is(caps.recall('well-1'), caps.start);
});
