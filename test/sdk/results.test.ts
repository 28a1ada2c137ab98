import { inspect } from 'node:util';
import { type AttemptDetails, ConnectionError, NotFoundError, TillhookError } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { apiKey, emptyPage, failure, serve } from './scripted-server.ts';

const headers = { 'x-request-id': 'req_01k9x7m3v5q8w2n4b6zd' };
const transfer = {
  reference: 'payout-77',
  amount: 250000,
  recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
};

test('result() returns the body of a successful response, with the request id, the attempts and the idempotency key', async (t) => {
  const { seen, tillhook } = await serve(t, [{ status: 201, headers, body: { reference: 'payout-77' } }]);

  const result = await tillhook.transfers.create(transfer).result();

  if (result.status !== 201) return t.fail(`${result.status}`);
  t.is(result.data.reference, 'payout-77');
  t.like(result, { requestId: 'req_01k9x7m3v5q8w2n4b6zd', attempts: 1, error: undefined });
  t.is(result.idempotencyKey, String(seen[0]?.headers['idempotency-key']));
});

test('result() also returns a documented failure, and a switch over the status is exhaustive', async (t) => {
  const { tillhook } = await serve(t, [failure(422, 'transfer_error', 'insufficient_funds')]);

  const result = await tillhook.transfers.create(transfer).result();

  switch (result.status) {
    case 201:
      return t.fail(result.data.reference);
    case 422:
      return t.is(result.error.code, 'insufficient_funds');
    case 400:
    case 401:
    case 403:
    case 409:
    case 413:
    case 415:
    case 429:
    case 500:
    case 503:
      return t.fail(result.error.message);
    default:
      // This line does not compile when the contract documents a status that this switch does not handle.
      result satisfies never;
  }
});

test('result() throws for a response that is not from this API', async (t) => {
  const { tillhook } = await serve(t, [{ status: 502, body: '<h1>Bad gateway</h1>' }], { maxRetries: 0 });

  await t.throwsAsync(tillhook.payments.get('order-1042').result(), { instanceOf: TillhookError });
});

test('result() returns 304 without a body', async (t) => {
  const { seen, tillhook } = await serve(t, [(res) => res.writeHead(304, { etag: 'W/"1"' }).end()]);

  const result = await tillhook.storefront.listProducts({}, { ifNoneMatch: 'W/"1"' }).result();

  t.is(seen[0]?.headers['if-none-match'], 'W/"1"');
  t.is(result.status, 304);
  t.is(result.headers.get('etag'), 'W/"1"');
  await t.throwsAsync(tillhook.storefront.listProducts({}, { ifNoneMatch: 'W/"1"' }), { message: /result\(\)/ });
});

test('a call is a promise whose request is sent once, even if no code awaits the call', async (t) => {
  const { seen, tillhook } = await serve(t, [emptyPage, failure(404, 'not_found_error', 'resource_not_found')]);

  tillhook.payments.list().finally(() => {});
  await eventually(() => seen.length, 1);
  const call = tillhook.payments.get('order-1042');
  const caught = await call.catch((error) => error);
  const again = await call.result();

  t.true(caught instanceof NotFoundError);
  t.is(again.error, caught);
  t.is(seen.length, 2);
});

test('hooks are called for every attempt, can set headers and cannot see the API key', async (t) => {
  const busy = { ...failure(503, 'api_error', 'service_unavailable'), headers: { ...headers, 'retry-after': '0' } };
  const told: unknown[] = [];
  const tell = (name: string) => (details: AttemptDetails) => {
    told.push([name, details.operationId, details.attempt, details.route]);
    t.false(inspect(details, { depth: 9 }).includes(apiKey));
  };
  const hooks = {
    request: ({ headers, ...details }: AttemptDetails & { headers: Headers }) => {
      t.false([...headers.values()].join().includes(apiKey));
      headers.set('traceparent', `attempt-${details.attempt}`);
      tell('request')(details);
    },
    response: tell('response'),
    retry: tell('retry'),
    error: tell('error'),
  };
  const { seen, tillhook } = await serve(t, [busy], { maxRetries: 1, hooks });

  await t.throwsAsync(tillhook.payments.get('order-1042'));

  const path = '/api/v1/payments/{reference}';
  t.deepEqual(told, [
    ['request', 'getPayment', 1, path],
    ['response', 'getPayment', 1, path],
    ['retry', 'getPayment', 1, path],
    ['request', 'getPayment', 2, path],
    ['response', 'getPayment', 2, path],
    ['error', 'getPayment', 2, path],
  ]);
  t.deepEqual(
    seen.map(({ headers }) => headers.traceparent),
    ['attempt-1', 'attempt-2'],
  );
  t.is(seen[0]?.headers.authorization, `Bearer ${apiKey}`);
});

test('headers of a caller or a hook are sent, but cannot replace headers of the SDK', async (t) => {
  const hooks = {
    request: ({ headers }: { headers: Headers }) => {
      headers.set('idempotency-key', 'hook');
      headers.delete('content-type');
      headers.set('x-trace', '1');
      throw new Error('The request hook fails on purpose.');
    },
    response: async () => {
      throw new Error('Later too.');
    },
  };
  const lines: string[] = [];
  class Lines {
    #lines = lines;
    debug() {}
    warn(line: string) {
      this.#lines.push(line);
    }
  }
  const logger = new Lines();
  const { seen, tillhook } = await serve(t, [{ status: 201, body: {} }], { hooks, logger });
  const checkout = { email: 'ada@example.com', amount: 1 };

  await tillhook.checkout.create(checkout, { idempotencyKey: 'order-1042', headers: { 'X-Shop': '7' } });

  t.like(seen[0]?.headers, {
    'idempotency-key': 'order-1042',
    'content-type': 'application/json',
    'x-api-key': apiKey,
    'x-trace': '1',
    'x-shop': '7',
  });
  t.regex(seen[0]?.headers['user-agent'] ?? '', /^tillhook-sdk\/\d/);
  await eventually(() => lines.length, 2);
  t.deepEqual(lines, [
    'The request hook threw: The request hook fails on purpose.',
    'The response hook threw: Later too.',
  ]);
  for (const name of ['Idempotency-Key', 'Content-Type', 'Authorization']) {
    await t.throwsAsync(tillhook.checkout.create(checkout, { headers: { [name]: 'x' } }), {
      message: /The SDK itself sends the header/,
    });
  }
});

test('a value that no header can contain throws a TypeError before a request is sent', async (t) => {
  const { seen, baseUrl, tillhook } = await serve(t, [emptyPage]);
  const value = 'two\nlines';

  await t.throwsAsync(tillhook.payments.list({}, { headers: { 'x-shop': value } }), { instanceOf: TypeError });
  await t.throwsAsync(tillhook.storefront.listProducts({}, { ifNoneMatch: value }), { instanceOf: TypeError });
  t.throws(() => new TillhookSession({ mode: 'test', baseUrl, merchantId: value }), { instanceOf: TypeError });

  t.is(seen.length, 0);
});

test('a method throws a TypeError for options in the place of the query', async (t) => {
  const { seen, tillhook } = await serve(t, [emptyPage]);

  t.throws(() => tillhook.payments.list({ signal: new AbortController().signal } as object), {
    message: /in the place of the query/,
  });

  t.is(seen.length, 0);
});

test('a logger gets a readable line about each response and failure, without the API key', async (t) => {
  const lines: string[] = [];
  const logger = { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  const { tillhook } = await serve(t, [(res) => res.destroy(), { status: 200, headers, body: {} }], { logger });

  await tillhook.payments.get('order-1042');

  t.is(lines.length, 2);
  t.regex(lines[0] ?? '', /^getPayment failed in attempt 1: .+ Retry in \d+ ms\.$/);
  t.regex(lines[1] ?? '', /^getPayment 200 in \d+ ms \(attempt 2, req_01k9x7m3v5q8w2n4b6zd\)$/);
});

test('a printed client shows only as much of its API key as identifies the key', async (t) => {
  const { baseUrl, tillhook } = await serve(t, [emptyPage]);

  t.deepEqual(JSON.parse(JSON.stringify(tillhook)), { baseUrl, apiKey: 'sk_test_…p7dc' });
  t.is(inspect(tillhook), `Tillhook {"baseUrl":"${baseUrl}","apiKey":"sk_test_…p7dc"}`);
});

test.serial('in a browser, the client for sessions sends the cookie and the mode, and no API key', async (t) => {
  const inits: (RequestInit | undefined)[] = [];
  const { seen, baseUrl } = await serve(t, [emptyPage]);
  t.teardown(() => Reflect.deleteProperty(globalThis, 'window'));
  Reflect.set(globalThis, 'window', { document: {} });
  const session = new TillhookSession({
    mode: 'live',
    baseUrl,
    fetch: (input, init) => {
      inits.push(init);
      return fetch(input, init);
    },
  });

  t.deepEqual(await session.payments.list(), { payments: [], total: 0 });

  t.is(inits[0]?.credentials, 'include');
  t.is(seen[0]?.headers['x-service-mode'], 'live');
  t.is(seen[0]?.headers.authorization, undefined);
  t.deepEqual(['checkout' in session, 'account' in session], [true, false]);
  t.throws(() => new TillhookSession({ mode: 'both' as 'live', baseUrl }), { message: /^mode/ });
});

test('a call is retried after a response with incomplete JSON, as after a lost connection', async (t) => {
  const half = { status: 200, body: '{"payments": [' };
  const { seen, tillhook } = await serve(t, [half, emptyPage]);
  const always = await serve(t, [half], { maxRetries: 0 });

  await tillhook.payments.list();

  t.is(seen.length, 2);
  await t.throwsAsync(always.tillhook.payments.list(), {
    instanceOf: ConnectionError,
    message: /is incomplete or invalid/,
  });
});

test('asResponse returns the HTTP response of a successful call, with an unread body', async (t) => {
  const flaky = failure(503, 'api_error', 'service_unavailable');
  const page = { status: 200, headers: { ratelimit: '"merchant";r=9;t=7' }, body: '{ "payments": [],  "total": 0 }' };
  const { seen, tillhook } = await serve(t, [flaky, page]);

  const response = await tillhook.payments.list({ limit: 5 }).asResponse();

  t.is(response.status, 200);
  t.is(response.headers.get('ratelimit'), '"merchant";r=9;t=7');
  t.is(await response.text(), '{ "payments": [],  "total": 0 }');
  t.deepEqual(
    seen.map(({ url }) => url),
    ['/api/v1/payments?limit=5', '/api/v1/payments?limit=5'],
  );
});

test('asResponse throws the same errors as await, and throws when the call was already sent', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(404, 'not_found_error', 'resource_not_found'), emptyPage]);

  await t.throwsAsync(tillhook.payments.get('order-1').asResponse(), { instanceOf: NotFoundError });
  const call = tillhook.payments.list();
  await call;
  await t.throwsAsync(call.asResponse(), { instanceOf: TypeError, message: /in place of await/ });

  t.is(seen.length, 2);
});

test('asResponse returns the last response when an earlier attempt removed the record and its response was lost', async (t) => {
  const gone = failure(404, 'not_found_error', 'resource_not_found');
  const { tillhook } = await serve(t, [(res) => res.destroy(), gone]);

  const response = await tillhook.webhookEndpoints.remove('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60').asResponse();

  t.is(response.status, 404);
});
