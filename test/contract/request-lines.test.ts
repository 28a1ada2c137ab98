/** Request lines and headers that are rare or wrong, sent byte by byte: each answer has the error body of the contract. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { answerAll, followRequests, unreadOptions } from '@tillhook/openapi/refusals/unread-request';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

/** What the mock printed about the requests of the test that runs. */
const lines: string[] = [];
const mock = await startMock({ onAnswer: (line) => void lines.push(line) });
test.after.always(() => mock.stop());
const server = serverForFile();

/** Sends these bytes, and returns the status and the body of the answer, which closes its connection. */
function send(url: string, request: string): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', ...text] = answer.split('\r\n\r\n');
      const status = Number(/^HTTP\/1.1 (\d+) /.exec(head)?.[1]);
      resolve({ status, type: /\r\ncontent-type: (.*)/i.exec(head)?.[1] ?? '', text: text.join('\r\n\r\n') });
      socket.destroy();
    });
  });
}

const rest = 'Host: localhost\r\nConnection: close\r\n';

const wrong: [situation: string, request: string, status: number, code: string][] = [
  ['that is no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['of TLS', '\x16\x03\x01\x02\x00\x01', 400, 'malformed_request'],
  ['without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  [
    'with two lengths',
    `POST / HTTP/1.1\r\n${rest}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    400,
    'malformed_request',
  ],
  [
    'with a header of 20 KB',
    `GET / HTTP/1.1\r\n${rest}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['with an address of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${rest}\r\n`, 431, 'headers_too_large'],
  ['for all of the server', `OPTIONS * HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
  ['for a page that cannot be decoded', `GET /docs/%ff HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
  ['for an address that cannot be decoded', `GET /%ff HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
];

for (const [situation, request, status, code] of wrong) {
  test(`a request ${situation} gets ${status} with the error body`, async (t) => {
    const answer = await send(server().url, request);

    t.deepEqual([answer.status, answer.type], [status, 'application/json; charset=utf-8']);
    const { success, message, error, requestId } = JSON.parse(answer.text);
    t.like(error, { code, param: null, details: [], docUrl: `${server().url}/docs/errors#${code}` });
    t.false(success);
    t.regex(message, /^[A-Z]/);
    t.regex(requestId, /^req_/);
  });

  test.serial(`a request ${situation} gets the same from the mock`, async (t) => {
    lines.length = 0;

    const answer = await send(mock.url, request);

    t.is(answer.status, status);
    const ofService = JSON.parse((await send(server().url, request)).text);
    // Answers of the mock come in chunks, with their lengths between them.
    const { error, requestId, ...body } = JSON.parse(/{.*}/.exec(answer.text)?.[0] ?? '');
    t.like(ofService, body);
    // A link of the mock leads to the host that was asked, where one could be read.
    t.regex(error.docUrl, /^http:\/\/(localhost|127\.0\.0\.1:\d+)\/docs\/errors#\w+$/);
    t.deepEqual({ ...error, docUrl: error.docUrl.replace(/^http:..[^/]+/, server().url) }, ofService.error);
    t.regex(requestId, /^req_/);
    t.regex(lines.join(), new RegExp(`^${status} `));
  });
}

test('a request that does not arrive in time gets 408', async (t) => {
  const slow = createServer({ ...unreadOptions, requestTimeout: 50, connectionsCheckingInterval: 20 });
  answerAll(slow, followRequests(slow), {
    serve: () => t.fail(),
    answerToUnread: ([code], error) => ({ status: 408, headers: {}, body: `${code} ${error.code}` }),
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  t.teardown(() => slow.close());

  const answer = await send(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`, 'GET / HTTP/1.1\r\n');

  t.deepEqual([answer.status, answer.text], [408, 'request_timeout ERR_HTTP_REQUEST_TIMEOUT']);
});

test('the connection of a request without a host is closed, also by a client that leaves its side open', async (t) => {
  const { hostname, port } = new URL(server().url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write('GET / HTTP/1.1\r\n\r\n');
  socket.resume();
  // A write fails when the server has closed the connection.
  const writing = setInterval(() => socket.write(' '), 200);
  t.teardown(() => clearInterval(writing));

  // The test runs out of time when the connection stays open.
  await closed;

  t.pass();
});

test('an unknown expectation is passed over, by the service and by the mock', async (t) => {
  const answer = await send(server().url, `GET /healthz HTTP/1.1\r\n${rest}Expect: tea\r\n\r\n`);
  const ofMock = await send(mock.url, `GET /docs/errors HTTP/1.1\r\n${rest}Expect: tea\r\n\r\n`);

  t.deepEqual([answer.status, answer.text], [200, '{"status":"ok"}']);
  t.is(ofMock.status, 200);
});

test('a request line may name the whole address, on the service and on the mock', async (t) => {
  const { testKey } = await server().createMerchant();
  const body = JSON.stringify({ email: 'ada@example.com', amount: 500 });
  const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  for (const [url, key] of [[server().url, testKey] as const, [mock.url, 'sk_test_any'] as const]) {
    const call = (method: string, address: string, more = '\r\n') =>
      send(url, `${method} ${address} HTTP/1.1\r\n${rest}Authorization: Bearer ${key}\r\n${more}`);

    t.is((await call('GET', `${url}/api/v1/me`)).status, 200);
    t.is((await call('GET', 'HTTP://shop.example.com/api/v1/payments?limit=1')).status, 200);
    t.is((await call('POST', `${url}/api/v1/payments/checkout`, json)).status, 201);
    t.is((await call('GET', `${url}/api/v1/nothing`)).status, 404);
  }
  t.is((await send(server().url, `GET ${server().url} HTTP/1.1\r\n${rest}Accept: text/html\r\n\r\n`)).status, 200);
});
