import { type AttemptOutcome, nextStep } from '@tillhook/server/src/webhooks/dispatch/retry-policy.ts';
import test from 'ava';

const hourMs = 3_600_000;
const delaysMs = [60_000, 900_000, 7_200_000];
const endedAt = new Date('2026-11-21T10:00:00.000Z');

function after(outcome: Partial<AttemptOutcome>, { attempt = 1, random = 0.5, delays = delaysMs } = {}) {
  const complete = { statusCode: null, retryAfter: null, endedAt, ...outcome };
  return nextStep(complete, { attempt, delaysMs: delays, random: () => random });
}

test('a 2xx response is a success', (t) => {
  for (const statusCode of [200, 201, 202, 204, 299]) t.deepEqual(after({ statusCode }), { step: 'delivered' });
});

test('a response with any other status is a failure, including a redirect', (t) => {
  for (const statusCode of [300, 302, 304, 400, 401, 404, 429, 500, 503]) {
    t.deepEqual(after({ statusCode }), { step: 'retry', delayMs: 60_000 });
  }
});

test('an attempt without an answer is a failure', (t) => {
  t.deepEqual(after({ statusCode: null }), { step: 'retry', delayMs: 60_000 });
});

test('each retry has a longer delay than the previous retry, and the fourth attempt is the last', (t) => {
  const steps = [1, 2, 3, 4].map((attempt) => after({ statusCode: 500 }, { attempt }));

  t.deepEqual(steps, [
    { step: 'retry', delayMs: 60_000 },
    { step: 'retry', delayMs: 900_000 },
    { step: 'retry', delayMs: 7_200_000 },
    { step: 'give-up' },
  ]);
});

test('without delays there is one attempt', (t) => {
  t.deepEqual(after({ statusCode: 500 }, { delays: [] }), { step: 'give-up' });
});

test('jitter makes a delay up to a fifth longer or shorter', (t) => {
  t.deepEqual(after({ statusCode: 500 }, { random: 0 }), { step: 'retry', delayMs: 48_000 });
  t.deepEqual(after({ statusCode: 500 }, { random: 0.999_999_9 }), { step: 'retry', delayMs: 72_000 });
});

test('410 disables the endpoint after any attempt', (t) => {
  for (const attempt of [1, 4]) t.deepEqual(after({ statusCode: 410 }, { attempt }), { step: 'disable' });
});

test('Retry-After makes a delay longer on 429, 502, 503 and 504', (t) => {
  for (const statusCode of [429, 502, 503, 504]) {
    t.deepEqual(after({ statusCode, retryAfter: '600' }), { step: 'retry', delayMs: 600_000 });
  }
});

test('Retry-After may be a date', (t) => {
  const retryAfter = 'Sat, 21 Nov 2026 10:30:00 GMT';

  t.deepEqual(after({ statusCode: 503, retryAfter }), { step: 'retry', delayMs: 1_800_000 });
});

test('Retry-After never shortens a delay', (t) => {
  for (const retryAfter of ['0', '1', 'Sat, 21 Nov 2026 09:00:00 GMT']) {
    t.deepEqual(after({ statusCode: 429, retryAfter }), { step: 'retry', delayMs: 60_000 });
  }
});

test('Retry-After is limited to six hours', (t) => {
  for (const retryAfter of ['999999', '9'.repeat(400), 'Fri, 01 Jan 2100 00:00:00 GMT']) {
    t.deepEqual(after({ statusCode: 429, retryAfter }), { step: 'retry', delayMs: 6 * hourMs });
  }
});

test('Retry-After that is neither a number nor a date is ignored', (t) => {
  for (const retryAfter of ['', 'soon', '-5', '1.5', '0x10']) {
    t.deepEqual(after({ statusCode: 503, retryAfter }), { step: 'retry', delayMs: 60_000 });
  }
});

test('Retry-After is ignored on a status other than 429, 502, 503 and 504', (t) => {
  for (const statusCode of [400, 404, 500]) {
    t.deepEqual(after({ statusCode, retryAfter: '600' }), { step: 'retry', delayMs: 60_000 });
  }
});

test('Retry-After allows no additional attempt', (t) => {
  t.deepEqual(after({ statusCode: 503, retryAfter: '600' }, { attempt: 4 }), { step: 'give-up' });
});
