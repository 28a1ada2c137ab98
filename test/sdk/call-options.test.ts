import { AbortedError, ApiError, ConnectionError, TimeoutError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { emptyPage, failure, serve } from './scripted-server.ts';

const checkout = { email: 'ada@example.com', amount: 1 };

test('a signal ends the call, also while it waits between attempts', async (t) => {
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

test('no attempt begins when totalTimeoutMs leaves no time for it', async (t) => {
  const later = { ...failure(503, 'api_error', 'service_unavailable'), headers: { 'retry-after': '30' } };
  const { seen, tillhook } = await serve(t, [later], { totalTimeoutMs: 20_000 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ApiError });

  t.is(error?.retryAfterMs, 30_000);
  t.is(seen.length, 1);
});

test('a call to a silent server ends after totalTimeoutMs', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { totalTimeoutMs: 80, maxRetries: 100 });

  await t.throwsAsync(tillhook.payments.list(), { instanceOf: TimeoutError });
});

test('only a time limit is a TimeoutError, and not a lost connection or a signal', async (t) => {
  const { tillhook } = await serve(t, [(res) => res.destroy()], { maxRetries: 0 });
  const lost = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });
  const signal = AbortSignal.timeout(1);
  const aborted = await t.throwsAsync(tillhook.payments.list({}, { signal }), { instanceOf: AbortedError });

  t.false(lost instanceof TimeoutError);
  t.false((aborted as Error) instanceof TimeoutError);
});

test('a wrong option of a call is refused before anything is sent', async (t) => {
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

test('a call ends in time even if its fetch ignores the signal', async (t) => {
  const fetch = () => new Promise<Response>(() => {});
  const { tillhook } = await serve(t, [emptyPage], { fetch, timeoutMs: 50, totalTimeoutMs: 30 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: TimeoutError });

  t.is(error?.name, 'TimeoutError');
  // Programs from before the class have it as a lost connection.
  t.true(error instanceof ConnectionError);
  t.is(error?.message, 'listPayments took over 30 ms. Raise totalTimeoutMs if that is too short.');
});
