import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const bodies: [situation: string, body: string | Uint8Array<ArrayBuffer> | undefined, code: string][] = [
  ['is cut off', '{"email": "ada@example.com", "amount": 1', 'invalid_json'],
  ['is not JSON', 'email=ada', 'invalid_json'],
  ['is empty', '', 'invalid_json'],
  ['is missing', undefined, 'invalid_json'],
  ['is brackets without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'invalid_json'],
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
  // The client stops sending when the answer comes, because a reset of the connection could discard the answer.
  let isAnswered = false;
  socket.once('data', () => {
    isAnswered = true;
  });
  // It sends each part some time after the part before has left. A part that the server has not read when it closes the
  // connection would reset it too.
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
