import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Problem, validationErrorOf } from '@tillhook/openapi/rules/problems';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { postSession } from '../support/users/session.ts';

const server = serverForFile();

const bodies: [situation: string, body: string | Uint8Array<ArrayBuffer> | undefined, code: string][] = [
  ['is cut off', '{"email": "ada@example.com", "amount": 1', 'invalid_json'],
  ['is not JSON', 'email=ada', 'invalid_json'],
  ['is empty', '', 'invalid_json'],
  ['is missing', undefined, 'invalid_json'],
  ['nests thousands of brackets', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'invalid_json'],
  ['is no UTF-8', latin1('{"email":"ada@example.com","amount":1,"description":"é"}'), 'invalid_json'],
  ['is an array', '[]', 'invalid_parameter'],
  ['is a string', '"ada"', 'invalid_parameter'],
  ['is null', 'null', 'invalid_parameter'],
  ['has a key __proto__', '{"email":"ada@example.com","amount":1,"__proto__":{"a":1}}', 'unknown_parameter'],
  ['has an amount beyond 64 bits', '{"email":"ada@example.com","amount":1e400}', 'invalid_parameter'],
];

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

for (const [situation, body, code] of bodies) {
  test(`a body that ${situation} is refused, nothing is written and the server still answers`, async (t) => {
    const { client, testKey } = await server().createMerchant();

    const response = await server().request('/api/v1/payments/checkout', {
      method: 'POST',
      headers: { 'x-api-key': testKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });

    t.is(response.status, 400);
    t.is((await response.json()).error.code, code);
    t.is((await client.payments.list()).total, 0);
  });
}

test('a charset other than UTF-8 is refused', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/payments/checkout', {
    method: 'POST',
    headers: { 'x-api-key': testKey, 'content-type': 'application/json; charset=utf-7' },
    body: '{}',
  });

  t.is(response.status, 415);
});

test('a malformed path is refused', async (t) => {
  const { testKey } = await server().createMerchant();

  for (const path of ['/api/v1/payments/%E0%A4%A', '/api/v1/payments/%00aaaaa']) {
    const response = await server().request(path, { key: testKey });

    t.is(response.status, 400);
    t.is((await response.json()).error.code, 'invalid_parameter');
  }
});

test('a request whose body never ends gets an answer, and its connection is closed', async (t) => {
  const { testKey } = await server().createMerchant();
  const { hostname, port } = new URL(server().url);
  const socket = connect(Number(port), hostname);
  const answer = once(socket, 'data');
  socket.on('error', () => {});

  socket.write(
    `POST /api/v1/payments/checkout HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${testKey}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  // The client stops sending when the answer arrives, because a reset of the connection could discard the answer.
  let isAnswered = false;
  socket.once('data', () => {
    isAnswered = true;
  });
  // A part of the body that the server has not read when it closes the connection would also reset the connection.
  const part = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const sendPart = () => {
    if (!isAnswered) socket.write(part, (error) => error ?? setTimeout(sendPart, 100));
  };
  sendPart();

  t.regex(String(await answer), /^HTTP\/1.1 413 /);
  await once(socket, 'close');
});

test('an error shows no stack, no SQL and no name of a table', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/payments?from=9999999-01-01T00:00:00Z', { key: testKey });

  t.is(response.status, 400);
  t.notRegex(await response.text(), /at .*\.ts|select |payment_/i);
});

for (const [encoding, status] of [
  ['gzip', 201],
  ['x-gzip', 201],
  ['X-GZIP', 201],
  ['compress', 415],
] as const) {
  test(`${status} when the Content-Encoding of a gzipped body is ${encoding}`, async (t) => {
    const { testKey } = await server().createMerchant();

    const response = await server().request('/api/v1/payments/checkout', {
      method: 'POST',
      headers: { 'x-api-key': testKey, 'content-type': 'application/json', 'content-encoding': encoding },
      body: Uint8Array.from(gzipSync('{"email":"ada@example.com","amount":500}')),
    });

    t.is(response.status, status);
    const { message } = await response.json();
    if (status === 415) t.is(message, 'The request body may be compressed by gzip, deflate or br, and by nothing else');
  });
}

const nul = '\0';
const crowded: [situation: string, body: unknown][] = [
  ['names that cannot be stored', Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [nul + index, index]))],
  ['unknown fields', Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`field${index}`, index]))],
  ['long names of fields', Object.fromEntries(Array.from({ length: 150 }, (_, index) => ['x'.repeat(500) + index, 1]))],
];

for (const [situation, body] of crowded) {
  test(`an answer reports only a hundred problems of a body with too many ${situation}`, async (t) => {
    const response = await postSession(server(), body);

    t.is(response.status, 400);
    t.is((await response.json()).error.details.length, 100);
  });
}

test('an unknown field is reported as one problem, whatever its value is', async (t) => {
  const response = await postSession(server(), { email: 'a', password: 'b', list: Array(1500).fill(nul) });

  t.is(response.status, 400);
  t.deepEqual((await response.json()).error.details, [
    { path: '/list', code: 'additionalProperties', message: 'is not a field of this operation' },
  ]);
});

test('an answer reports only a hundred problems of a query with too many unknown parameters', async (t) => {
  const query = Array.from({ length: 1500 }, (_, index) => `q${index}`).join('&');

  const response = await server().request(`/api/v1/dashboard/session?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

  const { details } = (await response.json()).error;
  t.is(details.length, 100);
  t.deepEqual(details.map(({ path }: { path: string }) => path).slice(0, 3), ['/email', '/password', '/q0']);
});

// The path of each of the 1,500 strings contains the field's name of 50 KB, so all paths together would be 75 MB.
test('an answer repeats a long field name at most a hundred times, however many bad strings the field contains', async (t) => {
  const name = 'k'.repeat(50_000);
  const response = await postSession(server(), { [name]: Array(1500).fill(nul) });

  const text = await response.text();
  t.is(response.status, 400);
  t.true(text.length < 100_000, `The answer has ${text.length} characters`);
});

test('the server processes each problem of a request a fixed number of times, however many problems there are', (t) => {
  let looks = 0;
  const problem = (pointer: string, rule: string): Problem => ({
    part: 'body',
    get pointer() {
      looks++;
      return pointer;
    },
    message: '',
    rule,
  });
  const pointers = Array.from({ length: 2000 }, (_, index) => `/list/${index}`);
  const problems = ['pattern', 'characters'].flatMap((rule) => pointers.map((pointer) => problem(pointer, rule)));

  const { details } = validationErrorOf(problems, undefined);

  t.is(details.length, 100);
  t.true(looks <= 2 * problems.length, `${looks} looks at ${problems.length} problems`);
});

test('a string with forbidden characters is reported once, and not also for its pattern, however many such strings there are', async (t) => {
  const response = await postSession(server(), { email: nul, password: nul });

  const { details } = (await response.json()).error;
  t.deepEqual(
    details.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/email', 'characters'],
      ['/password', 'characters'],
    ],
  );
});

interface Wrong {
  mode?: 'live';
  method?: string;
  path: string;
  body?: object;
  problems: string[];
}

const nowhere = '/api/v1/merchant-webhooks/019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';

const wrong: Record<string, Wrong> = {
  'a checkout': {
    path: '/api/v1/payments/checkout',
    body: { amount: 0, callbackUrl: 'ftp://a', cancelUrl: 'https://a:b@c.co/', currency: 'XXQ', colour: 'red' },
    problems: [
      '/amount minimum',
      '/callbackUrl invalid_url',
      '/cancelUrl invalid_url',
      '/colour additionalProperties',
      '/currency unsupported_currency',
      '/email required',
    ],
  },
  'a live checkout, whose addresses must be https': {
    mode: 'live',
    path: '/api/v1/payments/checkout',
    body: { email: 'ada@example.com', amount: 1.5, callbackUrl: 'http://shop.example.com/', currency: 'XXQ' },
    problems: ['/amount type', '/callbackUrl invalid_url', '/currency unsupported_currency'],
  },
  'addresses and a currency alone': {
    path: '/api/v1/payments/checkout?size=xl',
    body: { email: 'ada@example.com', amount: 1, callbackUrl: 'ftp://a', cancelUrl: 'ftp://a', currency: 'XXQ' },
    problems: ['/callbackUrl invalid_url', '/cancelUrl invalid_url', '/currency unsupported_currency', '/size unknown'],
  },
  'an endpoint': {
    path: '/api/v1/merchant-webhooks',
    body: { url: 'https://example.com/#a', events: [] },
    problems: ['/events minItems', '/url invalid_url'],
  },
  'an endpoint in a private network': {
    path: '/api/v1/merchant-webhooks',
    body: { url: 'http://[::ffff:10.0.0.1]/', events: ['checkout.done'] },
    problems: ['/events/0 enum', '/url invalid_url'],
  },
  'the change of an endpoint': {
    method: 'PATCH',
    path: nowhere,
    body: { url: 'http://10.0.0.1/', isActive: 'yes' },
    problems: ['/isActive type', '/url invalid_url'],
  },
  'a product': {
    path: '/api/v1/storefront/products',
    body: { name: '', price: 0, imageUrl: 'javascript:alert(1)', currency: 'XXQ' },
    problems: ['/currency unsupported_currency', '/imageUrl invalid_url', '/name minLength', '/price minimum'],
  },
  'a query': {
    method: 'GET',
    path: '/api/v1/wallets/transfer/entries?currency=XXQ&limit=0&colour=red',
    problems: ['/colour unknown', '/currency unsupported_currency', '/limit minimum'],
  },
  'fields that break their schema and another rule, each of which is named once': {
    path: '/api/v1/payments/checkout',
    body: { email: 'ada@example.com', amount: 1, callbackUrl: 'a\0b', currency: 'ngn' },
    problems: ['/callbackUrl characters', '/callbackUrl format', '/currency pattern'],
  },
};

for (const [what, { mode, method = 'POST', path, body, problems }] of Object.entries(wrong)) {
  test(`an answer names every problem of ${what}`, async (t) => {
    const { testKey, liveKey } = await server().createMerchant();
    const key = mode === 'live' ? liveKey : testKey;

    const response = await server().request(path, {
      method,
      headers: {
        'content-type': 'application/json',
        // Of all operations, only `createCheckout` also accepts the API key in `x-api-key`.
        ...(path.includes('/checkout') ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

    t.is(response.status, 400);
    const { error } = await response.json();
    const found = error.details.map((detail: { path: string; code: string }) => `${detail.path} ${detail.code}`);
    t.deepEqual(found.sort(), problems);
  });
}
