import { AbortedError, ApiError, ConnectionError, NotFoundError, TimeoutError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { type Act, emptyPage, failure, serve } from './scripted-server.ts';

const id = '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';
const checkout = { email: 'ada@example.com', amount: 1 };
const breakOff: Act = (res) => res.destroy();

for (const status of [408, 429, 500, 502, 503]) {
  test(`a GET is retried after ${status}`, async (t) => {
    const { seen, tillhook } = await serve(t, [{ status, headers: { 'retry-after': '0' } }, emptyPage]);

    t.deepEqual(await tillhook.payments.list(), { payments: [], total: 0 });

    t.is(seen.length, 2);
    t.deepEqual(seen[1]?.headers.authorization, seen[0]?.headers.authorization);
  });
}

test('a GET is retried after a broken connection', async (t) => {
  const { seen, tillhook } = await serve(t, [breakOff, emptyPage]);

  await tillhook.payments.list();

  t.is(seen.length, 2);
});

test('a GET is retried after a time-out', async (t) => {
  const { seen, tillhook } = await serve(t, [() => {}, emptyPage], { timeoutMs: 500, maxRetries: 5 });

  await tillhook.payments.list();

  t.true(seen.length > 1);
});

test('a DELETE is retried', async (t) => {
  const removal = { success: true, message: 'Webhook endpoint removed', data: { id: 'a', deleted: true } };
  const { seen, tillhook } = await serve(t, [breakOff, { status: 200, body: removal }]);

  await tillhook.webhookEndpoints.remove('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');

  t.deepEqual(
    seen.map(({ method }) => method),
    ['DELETE', 'DELETE'],
  );
});

test('a DELETE whose response was lost succeeds if the retry gets 404', async (t) => {
  const gone = failure(404, 'not_found_error', 'resource_not_found');
  const { seen, tillhook } = await serve(t, [breakOff, gone]);
  const first = await serve(t, [gone]);

  const { data } = await tillhook.webhookEndpoints.remove(id);

  t.deepEqual(data, { id, deleted: true });
  t.is(seen.length, 2);
  await t.throwsAsync(first.tillhook.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
});

test('a DELETE that gets 404 after a rejected attempt fails', async (t) => {
  const refused = { ...failure(429, 'rate_limit_error', 'rate_limited'), headers: { 'retry-after': '0' } };
  const { seen, tillhook } = await serve(t, [refused, failure(404, 'not_found_error', 'resource_not_found')]);
  const elsewhere = await serve(t, [breakOff, failure(404, 'not_found_error', 'route_not_found')]);

  await t.throwsAsync(tillhook.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
  await t.throwsAsync(elsewhere.tillhook.webhookEndpoints.remove(id), { instanceOf: NotFoundError });

  t.is(seen.length, 2);
});

test('a PATCH is retried unchanged', async (t) => {
  const { seen, tillhook } = await serve(t, [breakOff, { status: 200, body: {} }]);

  await tillhook.webhookEndpoints.update(id, { isActive: true });

  t.deepEqual(
    seen.map(({ body, headers }) => [body, headers['idempotency-key']]),
    [
      ['{"isActive":true}', undefined],
      ['{"isActive":true}', undefined],
    ],
  );
});

const inProgress = failure(409, 'conflict_error', 'idempotency_in_progress');

for (const [what, act] of [
  ['500', failure(500, 'api_error', 'internal_error')],
  ['425', failure(425, 'api_error', 'too_early')],
  ['409 because the first call is still in progress', { ...inProgress, headers: { 'retry-after-ms': '1' } }],
  ['a broken connection', breakOff],
] as const) {
  test(`a POST is retried with the same Idempotency-Key after ${what}`, async (t) => {
    const { seen, tillhook } = await serve(t, [act, { status: 201, body: {} }]);

    const first = await tillhook.checkout.create(checkout).result();
    const second = await tillhook.checkout.create(checkout).result();

    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    t.is(keys.length, 3);
    t.regex(String(keys[0]), /^[0-9a-f-]{36}$/);
    t.is(keys[0], keys[1]);
    t.not(keys[1], keys[2]);
    t.deepEqual([first.attempts, first.idempotencyKey, second.idempotencyKey], [2, keys[0], keys[2]]);
  });
}

test('the client sends the caller’s idempotency key, and the error contains the key', async (t) => {
  const { seen, tillhook } = await serve(t, [breakOff], { maxRetries: 1 });

  const call = tillhook.checkout.create(checkout, { idempotencyKey: 'order-1042' });
  const error = await t.throwsAsync(call, { instanceOf: ConnectionError });

  t.deepEqual(
    seen.map(({ headers }) => headers['idempotency-key']),
    ['order-1042', 'order-1042'],
  );
  t.like(error, { idempotencyKey: 'order-1042', attempts: 2 });
});

for (const [what, act] of [
  ['500', failure(500, 'api_error', 'internal_error')],
  ['429 with Retry-After', { ...failure(429, 'api_error', 'service_unavailable'), headers: { 'retry-after': '0' } }],
  ['a broken connection', breakOff],
] as const) {
  test(`a POST that accepts no Idempotency-Key is never retried after ${what}`, async (t) => {
    const { seen, tillhook } = await serve(t, [act], { maxRetries: 5 });

    await t.throwsAsync(tillhook.webhookEndpoints.sendTest(id));

    t.is(seen.length, 1);
  });
}

test('a call with an idempotencyKey that its operation does not accept throws before a request is sent', async (t) => {
  const { seen, tillhook } = await serve(t, [emptyPage]);
  const options = { idempotencyKey: 'order-1042' } as object;

  await t.throwsAsync(tillhook.webhookEndpoints.sendTest(id, options), { instanceOf: TypeError });

  t.is(seen.length, 0);
});

test('a POST is not retried after 409 duplicate_reference', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(409, 'conflict_error', 'duplicate_reference')]);

  await t.throwsAsync(tillhook.checkout.create(checkout));

  t.is(seen.length, 1);
});

test('a GET is not retried after 400', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(400, 'validation_error', 'invalid_parameter')]);

  await t.throwsAsync(tillhook.payments.list());

  t.is(seen.length, 1);
});

test('after maxRetries, the call throws the last error', async (t) => {
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

test('a call is not retried after a Retry-After of more than a minute', async (t) => {
  const [now, anHourLater] = [0, 3_600_000].map((ms) => new Date(ms).toUTCString());
  for (const headers of [{ 'retry-after': '61' }, { 'retry-after': anHourLater, date: now }] as Record<
    string,
    string
  >[]) {
    const { seen, tillhook } = await serve(t, [{ status: 429, headers }, emptyPage]);

    const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ApiError });

    t.is(error?.status, 429);
    t.is(seen.length, 1);
  }
});

test('an invalid or past Retry-After is ignored, and the call is retried', async (t) => {
  for (const retryAfter of [new Date(0).toUTCString(), 'soon', '-1']) {
    const { seen, tillhook } = await serve(t, [{ status: 503, headers: { 'retry-after': retryAfter } }, emptyPage]);

    await tillhook.payments.list();

    t.is(seen.length, 2);
  }
});

test('an abort signal ends the call, even while the call waits between attempts', async (t) => {
  const patience = { ...failure(503, 'api_error', 'service_unavailable'), headers: { 'retry-after': '60' } };
  const { seen, tillhook } = await serve(t, [patience]);
  const controller = new AbortController();
  const options = { signal: controller.signal, idempotencyKey: 'order-1042', maxRetries: 5 };

  const call = tillhook.checkout.create(checkout, options);
  const failed = t.throwsAsync(call, { instanceOf: AbortedError });
  await eventually(() => seen.length, 1);
  controller.abort('enough');
  const error = await failed;

  t.like(error, { cause: 'enough', idempotencyKey: 'order-1042' });
  await t.throwsAsync(tillhook.payments.list({}, options), { instanceOf: TypeError });
  await t.throwsAsync(tillhook.payments.list({}, { signal: controller.signal }), { instanceOf: AbortedError });
});

test('a call is not retried when the delay would exceed totalTimeoutMs', async (t) => {
  const later = { ...failure(503, 'api_error', 'service_unavailable'), headers: { 'retry-after': '30' } };
  const { seen, tillhook } = await serve(t, [later], { totalTimeoutMs: 20_000 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ApiError });

  t.is(error?.retryAfterMs, 30_000);
  t.is(seen.length, 1);
});

test('a call to a server that does not respond ends after totalTimeoutMs', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { totalTimeoutMs: 80, maxRetries: 100 });

  await t.throwsAsync(tillhook.payments.list(), { instanceOf: TimeoutError });
});

test('a call throws a TimeoutError only for a time limit, and not for a lost connection or an abort signal', async (t) => {
  const { tillhook } = await serve(t, [(res) => res.destroy()], { maxRetries: 0 });
  const lost = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });
  const signal = AbortSignal.timeout(1);
  const aborted = await t.throwsAsync(tillhook.payments.list({}, { signal }), { instanceOf: AbortedError });

  t.false(lost instanceof TimeoutError);
  t.false((aborted as Error) instanceof TimeoutError);
});

test('an invalid option of a call throws before a request is sent', async (t) => {
  const { seen, tillhook } = await serve(t, [emptyPage]);
  const wrong = [
    { timeoutMs: 3e9 },
    { totalTimeoutMs: Number.NaN },
    { maxRetries: -1 },
    { signal: 'x' },
    { idempotencyKey: '' },
    { idempotencyKey: 'é' },
  ];

  for (const options of wrong) {
    const [option] = Object.keys(options);
    await t.throwsAsync(tillhook.checkout.create(checkout, options as object), {
      message: new RegExp(`^${option} must`),
    });
  }

  t.is(seen.length, 0);
});

test('a call ends at its time limit even if a custom fetch ignores the abort signal', async (t) => {
  const fetch = () => new Promise<Response>(() => {});
  const { tillhook } = await serve(t, [emptyPage], { fetch, timeoutMs: 50, totalTimeoutMs: 30 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: TimeoutError });

  t.is(error?.name, 'TimeoutError');
  // Older programs do not know this class, and handle the error as a lost connection.
  t.true(error instanceof ConnectionError);
  t.is(error?.message, 'listPayments took over 30 ms. Raise totalTimeoutMs if that is too short.');
});
