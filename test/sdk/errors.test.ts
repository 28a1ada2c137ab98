import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  generateSecret,
  NotFoundError,
  ProcessorError,
  Tillhook,
  TillhookError,
  ValidationError,
} from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { pathOf, schemesOf } from '../support/calls/call-example.ts';
import { apiKey, emptyPage, failure, serve } from './scripted-server.ts';

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
  test(`${type} is thrown as ${expected.name} with all fields of the response`, async (t) => {
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
  { what: 'a page with a success status', status: 200, type: 'text/html', body: '<h1>Welcome to the Wi-Fi</h1>' },
  { what: 'a JSON string with a success status', status: 200, type: 'application/json', body: '"ok"' },
  { what: 'an empty body with a success status', status: 200, type: 'application/json', body: '' },
  { what: 'a body that the status forbids', status: 204, type: 'application/json', body: '{"reference":"order-1042"}' },
  { what: 'a JSON list with a success status', status: 200, type: 'application/json', body: '[]' },
  { what: 'a JSON number with a success status', status: 200, type: 'application/json', body: '7' },
];

for (const { what, status, type, body } of oddAnswers) {
  test(`${status} with ${what} throws an ApiError that describes the response`, async (t) => {
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

test('a call throws a ConnectionError with the reason when the connection is refused', async (t) => {
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

test('a call throws a ConnectionError when the response is incomplete', async (t) => {
  const { tillhook } = await serve(
    t,
    [(res) => res.writeHead(200, { 'content-length': '100' }).write('{"payments"', () => res.destroy())],
    { maxRetries: 0 },
  );

  await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });
});

test('a call throws a ConnectionError when no response arrives within timeoutMs', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { maxRetries: 0, timeoutMs: 50 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(error?.message, 'listPayments took over 50 ms. Raise timeoutMs if that is too short.');
});

test('a call throws a ConnectionError after timeoutMs when the response stops before its end', async (t) => {
  const { tillhook } = await serve(t, [(res) => res.writeHead(200).write('{')], { maxRetries: 0, timeoutMs: 50 });

  const error = await t.throwsAsync(tillhook.payments.list(), { instanceOf: ConnectionError });

  t.is(error?.message, 'listPayments took over 50 ms. Raise timeoutMs if that is too short.');
});

test('a call throws a TypeError when JSON cannot represent the request body', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(500, 'api_error', 'internal_error')]);

  const body = { email: 'ada@example.com', amount: 5n as unknown as number };
  const error = await t.throwsAsync(tillhook.checkout.create(body), { instanceOf: TypeError });

  t.regex(error?.message ?? '', /BigInt/);
  t.is(seen.length, 0);
});

test('neither an inspected client nor an inspected error shows the API key', async (t) => {
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

test('JSON.stringify of an error includes its name and message', async (t) => {
  const { tillhook } = await serve(t, [failure(404, 'not_found_error', 'resource_not_found')]);

  const error = await t.throwsAsync(tillhook.payments.get('order-1042'));

  t.like(JSON.parse(JSON.stringify(error)), {
    name: 'NotFoundError',
    message: 'It failed with resource_not_found',
    code: 'resource_not_found',
  });
});

const payment = { status: 200, body: { reference: 'order-1042' } };

for (const reference of ['..', '.', '', undefined, null, 7, '\ud800']) {
  test(`a call with the path parameter ${JSON.stringify(reference)} throws an error before a request is sent`, async (t) => {
    const { seen, tillhook } = await serve(t, [payment]);

    const error = await t.throwsAsync(tillhook.payments.get(reference as string), { instanceOf: ValidationError });

    t.is(error?.param, 'reference');
    t.is(seen.length, 0);
  });
}

for (const [reference, segment] of [
  ['../merchant-webhooks', '..%2Fmerchant-webhooks'],
  ['a/b', 'a%2Fb'],
  ['a\\..\\b', 'a%5C..%5Cb'],
  ['%2e%2e', '%252e%252e'],
  ['a?limit=1#b', 'a%3Flimit%3D1%23b'],
  ['$&{reference}', '%24%26%7Breference%7D'],
  ['...', '...'],
] as const) {
  test(`the reference ${reference} is sent as a single path segment`, async (t) => {
    const { seen, tillhook } = await serve(t, [payment]);

    await tillhook.payments.get(reference);

    t.is(seen[0]?.url, `/api/v1/payments/${segment}`);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`the client does not follow a redirect with ${status}, so the API key is not sent to another server`, async (t) => {
    const elsewhere = await serve(t, [emptyPage]);
    const location = `${elsewhere.baseUrl}/api/v1/payments`;
    const { seen, tillhook } = await serve(t, [{ status, headers: { location }, body: '' }]);

    const error = await t.throwsAsync(tillhook.payments.list());
    await t.throwsAsync(tillhook.checkout.create({ email: 'ada@example.com', amount: 1 }));

    t.true(error?.message.startsWith(`The server answered with a redirect to ${location}.`));
    t.like(error, { status });
    t.is(seen.length, 2);
    t.is(elsewhere.seen.length, 0);
  });
}

test('the client calls a custom fetch with a URL and plain options', async (t) => {
  const requests: { input: unknown; init: RequestInit | undefined }[] = [];
  const { seen, baseUrl, tillhook } = await serve(t, [{ status: 201, body: {} }], {
    fetch: (input, init) => {
      requests.push({ input, init });
      return fetch(input, init);
    },
  });

  await tillhook.checkout.create({ email: 'ada@example.com', amount: 1 });

  t.is(requests[0]?.input, `${baseUrl}/api/v1/payments/checkout`);
  t.like(requests[0]?.init, { method: 'POST', redirect: 'manual', body: '{"email":"ada@example.com","amount":1}' });
  t.is(seen.length, 1);
});

test('the client sends a live key only over https, except to this machine', (t) => {
  const liveKey = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const connect = (key: string, baseUrl: string) => () => new Tillhook(key, { baseUrl });

  for (const baseUrl of [
    'http://pay.example.com',
    'http://127.example.com',
    'http://10.0.0.1',
    'http://localhost.example',
  ]) {
    t.throws(connect(liveKey, baseUrl), { message: /https:\/\/ only/ });
    t.notThrows(connect(apiKey, baseUrl));
  }
  for (const baseUrl of [
    'https://pay.example.com',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ]) {
    t.notThrows(connect(liveKey, baseUrl));
  }
});

test('the constructor throws for an invalid API key or option, and the message does not contain the key', (t) => {
  const baseUrl = 'http://localhost:3000';
  for (const key of ['', 'sk_test_abc\n', 'sk_test_ abc', 'sk_test_é', undefined as unknown as string]) {
    const error = t.throws(() => new Tillhook(key, { baseUrl }), { instanceOf: TypeError });
    t.false(error?.message.includes('sk_test_'));
  }
  for (const wrong of [
    '',
    'localhost:3000',
    'ftp://a.example',
    'http://me:secret@a.example',
    'http://a.example/?b',
    'http://a.example/api/v1?b',
    'http://a.example/#b',
    7,
  ]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl: wrong as string }), { message: /^baseUrl/ });
  }
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl, timeoutMs }), { message: /^timeoutMs/ });
  }
  for (const maxRetries of [-1, 0.5, Number.NaN]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl, maxRetries }), { message: /^maxRetries/ });
  }
  t.throws(() => new Tillhook(apiKey, undefined as never), { message: /^baseUrl/ });
});

for (const ending of ['', '/', '//', '?', '#', '/?#', '/api/v1', '/api/v1/', '/api/v1//', '//api/v1', '/api/v1/?']) {
  test(`baseUrl may end in ${JSON.stringify(ending)}, even after a path of the service`, async (t) => {
    const { seen, baseUrl } = await serve(t, [emptyPage]);

    for (const place of [baseUrl, `${baseUrl}/pay`]) {
      const tillhook = new Tillhook(apiKey, { baseUrl: place + ending });
      await tillhook.payments.list();
      t.is(tillhook.baseUrl, place);
      await new TillhookSession({ mode: 'test', baseUrl: place + ending }).payments.list();
    }

    t.deepEqual(
      seen.map(({ url }) => url),
      ['/api/v1/payments', '/api/v1/payments', '/pay/api/v1/payments', '/pay/api/v1/payments'],
    );
  });
}

test('the client removes /api/v1 from baseUrl only if it is at the end and complete', (t) => {
  for (const baseUrl of ['http://a.example/my-api/v1', 'http://a.example/api/v1/pay', 'http://a.example/api/v2']) {
    t.is(new Tillhook(apiKey, { baseUrl }).baseUrl, baseUrl);
  }
  const below = new Tillhook(apiKey, { baseUrl: 'http://a.example/api/v1/api/v1' });
  t.is(below.baseUrl, 'http://a.example/api/v1', 'a server whose own path ends in /api/v1');
});

test.serial('the client for API keys throws in a browser', (t) => {
  t.teardown(() => Reflect.deleteProperty(globalThis, 'window'));
  Reflect.set(globalThis, 'window', { document: {} });

  t.throws(() => new Tillhook(apiKey, { baseUrl: 'https://pay.example.com' }), { message: /browser/ });
});

test('generateSecret returns 24 random bytes in base64, as the server does', (t) => {
  t.regex(generateSecret(), /^whsec_[A-Za-z0-9+/]{32}$/);
  t.not(generateSecret(), generateSecret());
});

const { operations } = readContract().model;
const taken = (operation: ModelOperation) => new Set<string>(schemesOf(operation));
const forSessions = operations.filter((one) => taken(one).size === 0 || taken(one).has('dashboardSession'));
const forKeys = operations.filter((one) => taken(one).has('apiKeyHeader') || taken(one).has('bearerAuth'));
const baseUrl = 'http://127.0.0.1:9';

type Method = (...input: unknown[]) => Promise<unknown>;

test('each client has the methods of its operations, and only the client for API keys follows events', (t) => {
  t.deepEqual(methodsOf(new TillhookSession({ mode: 'test', baseUrl })), namesOf(forSessions));
  t.deepEqual(methodsOf(new Tillhook(apiKey, { baseUrl })), [...namesOf(forKeys), 'events.follow'].sort());
  t.true(forSessions.length >= 40);
});

for (const operation of forSessions) {
  test(`${operation.id} of the client for sessions is sent to its path in the contract, with the mode and without an API key`, async (t) => {
    const { seen, baseUrl } = await serve(t, [{ status: 200, body: {} }]);
    const input = inputOf(operation);

    await methodOf(new TillhookSession({ mode: 'live', baseUrl }), operation)(...input);

    const path = pathOf(operation, parametersOf(operation));
    t.like(seen[0], { method: operation.method.toUpperCase(), url: path });
    t.like(seen[0]?.headers, { 'x-service-mode': 'live' });
    t.is(seen[0]?.headers.authorization ?? seen[0]?.headers['x-api-key'], undefined);
    t.is(seen[0]?.headers['x-service-merchant'], undefined);
  });
}

test('every call of an operator sends the id of the merchant', async (t) => {
  const { seen, baseUrl } = await serve(t, [{ status: 200, body: { payments: [], total: 0 } }]);
  const merchantId = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';

  await new TillhookSession({ mode: 'test', baseUrl, merchantId }).payments.list();

  t.is(seen[0]?.headers['x-service-merchant'], merchantId);
});

function namesOf(some: ModelOperation[]): string[] {
  return some.map(({ sdkMethod }) => sdkMethod ?? '').sort();
}

function methodsOf(client: object): string[] {
  const resources = Object.entries(client).filter(([, value]) => typeof value === 'object');
  return resources.flatMap(([name, methods]) => Object.keys(methods).map((verb) => `${name}.${verb}`)).sort();
}

function methodOf(client: object, { sdkMethod }: ModelOperation): Method {
  const [resource = '', verb = ''] = sdkMethod?.split('.') ?? [];
  return (client as Record<string, Record<string, Method>>)[resource]?.[verb] as Method;
}

function parametersOf({ parameters }: ModelOperation): Record<string, string> {
  const inPath = parameters.filter((one) => one.in === 'path');
  return Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)]));
}

function inputOf(operation: ModelOperation): unknown[] {
  const parameters = parametersOf(operation);
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameters[name]);
  const [first] = operation.body?.examples.values() ?? [];
  return first ? [...inPath, first.value] : inPath;
}
