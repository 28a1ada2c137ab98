import { ApiError, ConnectionError } from '@tillhook/sdk';
import test from 'ava';
import { type Act, emptyPage, failure, serve } from './scripted-server.ts';

const breakOff: Act = (res) => res.destroy();

for (const status of [408, 429, 500, 502, 503]) {
  test(`a GET is tried again after ${status}`, async (t) => {
    const { seen, tillhook } = await serve(t, [{ status, headers: { 'retry-after': '0' } }, emptyPage]);

    t.deepEqual(await tillhook.payments.list(), { payments: [], total: 0 });

    t.is(seen.length, 2);
    t.deepEqual(seen[1]?.headers.authorization, seen[0]?.headers.authorization);
  });
}

test('a GET is tried again after a broken connection', async (t) => {
  const { seen, tillhook } = await serve(t, [breakOff, emptyPage]);

  await tillhook.payments.list();

  t.is(seen.length, 2);
});

test('a GET is tried again after a time-out', async (t) => {
  const { seen, tillhook } = await serve(t, [() => {}, emptyPage], { timeoutMs: 500, maxRetries: 5 });

  await tillhook.payments.list();

  t.true(seen.length > 1);
});

test('a DELETE is tried again', async (t) => {
  const removal = { success: true, message: 'Webhook endpoint removed', data: { id: 'a', deleted: true } };
  const { seen, tillhook } = await serve(t, [breakOff, { status: 200, body: removal }]);

  await tillhook.webhookEndpoints.remove('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');

  t.deepEqual(
    seen.map(({ method }) => method),
    ['DELETE', 'DELETE'],
  );
});

for (const [what, act] of [
  ['500', failure(500, 'api_error', 'internal_error')],
  ['429 with Retry-After', { ...failure(429, 'api_error', 'service_unavailable'), headers: { 'retry-after': '0' } }],
  ['a broken connection', breakOff],
] as const) {
  test(`a POST is never tried again after ${what}`, async (t) => {
    const { seen, tillhook } = await serve(t, [act], { maxRetries: 5 });

    await t.throwsAsync(tillhook.checkout.create({ email: 'ada@example.com', amount: 1 }));
    await t.throwsAsync(tillhook.webhookEndpoints.sendTest('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60'));

    t.is(seen.length, 2);
  });
}

test('a refused GET is not tried again', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(400, 'validation_error', 'invalid_parameter')]);

  await t.throwsAsync(tillhook.payments.list());

  t.is(seen.length, 1);
});

test('after maxRetries the last error is thrown', async (t) => {
  const busy = { ...failure(503, 'api_error', 'service_unavailable'), headers: { 'retry-after': '0' } };
  const { seen, tillhook } = await serve(t, [breakOff, busy], { maxRetries: 3 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ApiError });

  t.is(error?.code, 'service_unavailable');
  t.is(seen.length, 4);
});

test('maxRetries 0 means one attempt', async (t) => {
  const { seen, tillhook } = await serve(t, [breakOff], { maxRetries: 0 });

  await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(seen.length, 1);
});

test('a Retry-After of more than a minute is left to the caller', async (t) => {
  for (const retryAfter of ['61', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { seen, tillhook } = await serve(t, [{ status: 429, headers: { 'retry-after': retryAfter } }, emptyPage]);

    const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ApiError });

    t.is(error?.status, 429);
    t.is(seen.length, 1);
  }
});

test('a Retry-After that has passed or makes no sense does not hold up the retry', async (t) => {
  for (const retryAfter of [new Date(0).toUTCString(), 'soon']) {
    const { seen, tillhook } = await serve(t, [{ status: 503, headers: { 'retry-after': retryAfter } }, emptyPage]);

    await tillhook.payments.list();

    t.is(seen.length, 2);
  }
});
