import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  ProcessorError,
  Tillhook,
  TillhookError,
  ValidationError,
} from '@tillhook/sdk';
import test from 'ava';
import { apiKey, failure, serve } from './scripted-server.ts';

const classes: { status: number; type: string; code: string; expected: typeof TillhookError }[] = [
  { status: 400, type: 'validation_error', code: 'invalid_parameter', expected: ValidationError },
  { status: 401, type: 'authentication_error', code: 'invalid_api_key', expected: AuthenticationError },
  { status: 404, type: 'not_found_error', code: 'resource_not_found', expected: NotFoundError },
  { status: 409, type: 'conflict_error', code: 'duplicate_reference', expected: ConflictError },
  { status: 503, type: 'processor_error', code: 'processor_not_configured', expected: ProcessorError },
  { status: 500, type: 'api_error', code: 'internal_error', expected: ApiError },
  { status: 418, type: 'teapot_error', code: 'short_and_stout', expected: ApiError },
];

for (const { status, type, code, expected } of classes) {
  test(`${type} is thrown as ${expected.name} with all fields of the answer`, async (t) => {
    const { tillhook } = await serve(t, [failure(status, type, code)], { maxRetries: 0 });

    const error = await t.throwsAsync(tillhook.payments.get('order-1042'), { instanceOf: expected });

    t.true(error instanceof TillhookError);
    t.is(error?.name, expected.name);
    t.like(error, {
      message: `It failed with ${code}`,
      status,
      code,
      param: 'amount',
      details: [{ path: '/amount', code: 'minimum', message: 'must be at least 1' }],
      requestId: 'req_01k9x7m3v5q8w2n4b6zd',
      docUrl: `http://localhost:3000/docs/errors#${code}`,
    });
  });
}

const oddAnswers = [
  { what: 'a page of a proxy', status: 404, type: 'text/html', body: '<h1>No route</h1>' },
  { what: 'an empty body', status: 502, type: 'text/plain', body: '' },
  { what: 'JSON of another shape', status: 403, type: 'application/json', body: '{"error":"forbidden"}' },
  { what: 'JSON that is null', status: 500, type: 'application/json', body: 'null' },
  { what: 'a page with a status of success', status: 200, type: 'text/html', body: '<h1>Welcome to the Wi-Fi</h1>' },
  { what: 'a text with a status of success', status: 200, type: 'application/json', body: '"ok"' },
  { what: 'nothing with a status of success', status: 200, type: 'application/json', body: '' },
  { what: 'a body that may not be there', status: 204, type: 'application/json', body: '{"reference":"order-1042"}' },
  { what: 'a list with a status of success', status: 200, type: 'application/json', body: '[]' },
  { what: 'a number with a status of success', status: 200, type: 'application/json', body: '7' },
];

for (const { what, status, type, body } of oddAnswers) {
  test(`${status} with ${what} is an ApiError that describes the answer`, async (t) => {
    const headers = { 'content-type': type, 'x-request-id': 'req_01k9x7m3v5q8w2n4b6zd' };
    const { tillhook } = await serve(t, [{ status, headers, body }], { maxRetries: 0 });

    const error = await t.throwsAsync(tillhook.payments.get('order-1042'), { instanceOf: ApiError });

    t.is(
      error?.message,
      `The server answered ${status} (${type}) with a body that is not of this API. Check baseUrl, and any proxy before the server.`,
    );
    t.like(error, { status, code: null, requestId: 'req_01k9x7m3v5q8w2n4b6zd' });
  });
}

test('a refused connection is a ConnectionError with the reason', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');

  const tillhook = new Tillhook(apiKey, { baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(error?.message, 'listPayments got no complete answer: ECONNREFUSED.');
  t.is(error?.status, null);
  t.true(error?.cause instanceof Error);
});

test('an incomplete answer is a ConnectionError', async (t) => {
  const { tillhook } = await serve(
    t,
    [(res) => res.writeHead(200, { 'content-length': '100' }).write('{"payments"', () => res.destroy())],
    { maxRetries: 0 },
  );

  await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });
});

test('no answer within timeoutMs is a ConnectionError', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { maxRetries: 0, timeoutMs: 50 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(error?.message, 'listPayments took over 50 ms. Raise timeoutMs if that is too short.');
});

test('an answer that stops in the middle is a ConnectionError after timeoutMs', async (t) => {
  const { tillhook } = await serve(t, [(res) => res.writeHead(200).write('{')], { maxRetries: 0, timeoutMs: 50 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(error?.message, 'listPayments took over 50 ms. Raise timeoutMs if that is too short.');
});

test('a body that is no JSON is the caller’s error, not the connection’s', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(500, 'api_error', 'internal_error')]);

  const body = { email: 'ada@example.com', amount: 5n as unknown as number };
  const error = await t.throwsAsync(tillhook.checkout.create(body), { instanceOf: TypeError });

  t.regex(error?.message ?? '', /BigInt/);
  t.is(seen.length, 0);
});

test('the API key shows neither in the client nor in an error', async (t) => {
  const echo = { ...failure(401, 'authentication_error', 'invalid_api_key') };
  const { tillhook } = await serve(t, [echo, { status: 400, body: apiKey }, (res) => res.destroy()], { maxRetries: 0 });

  const refused = await t.throwsAsync(tillhook.payments.list());
  const odd = await t.throwsAsync(tillhook.checkout.create({ email: 'ada@example.com', amount: 1 }));
  const broken = await t.throwsAsync(tillhook.payments.list());

  for (const shown of [tillhook, refused, odd, broken]) {
    t.false(inspect(shown, { depth: Number.POSITIVE_INFINITY, showHidden: true }).includes(apiKey));
  }
});

test('the stack of an error contains the line of the call', async (t) => {
  const { tillhook } = await serve(t, [failure(404, 'not_found_error', 'resource_not_found')]);
  async function shipOrder() {
    await tillhook.payments.get('order-1042');
  }

  const error = await t.throwsAsync(shipOrder());

  t.regex(error?.stack ?? '', /at async shipOrder/);
});

test('an error written as JSON keeps its name and message', async (t) => {
  const { tillhook } = await serve(t, [failure(404, 'not_found_error', 'resource_not_found')]);

  const error = await t.throwsAsync(tillhook.payments.get('order-1042'));

  t.like(JSON.parse(JSON.stringify(error)), {
    name: 'NotFoundError',
    message: 'It failed with resource_not_found',
    code: 'resource_not_found',
  });
});
