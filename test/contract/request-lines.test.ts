import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { answerAll, followRequests, unreadOptions } from '@tillhook/openapi/rules/unread-request';
import test, { type ExecutionContext } from 'ava';
import { Pool } from 'undici';
import { serverForFile } from '../support/server/tillhook.ts';

const lines: string[] = [];
const mock = await startMock({ onAnswer: (line) => void lines.push(line) });
test.after.always(() => mock.stop());
const server = serverForFile();

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
  ['that is not HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['of TLS', '\x16\x03\x01\x02\x00\x01', 400, 'malformed_request'],
  ['without a Host header', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  [
    'with two Content-Length headers',
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
  ['with a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${rest}\r\n`, 431, 'headers_too_large'],
  ['for the whole server', `OPTIONS * HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
  ['for a page whose path cannot be decoded', `GET /docs/%ff HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
  ['for a path that cannot be decoded', `GET /%ff HTTP/1.1\r\n${rest}\r\n`, 404, 'route_not_found'],
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

  test.serial(`the mock gives a request ${situation} the same answer as the server`, async (t) => {
    lines.length = 0;

    const answer = await send(mock.url, request);

    t.is(answer.status, status);
    const ofService = JSON.parse((await send(server().url, request)).text);
    // The mock sends chunked answers, with the lengths of the chunks between them.
    const { error, requestId, ...body } = JSON.parse(/{.*}/.exec(answer.text)?.[0] ?? '');
    t.like(ofService, body);
    // A link in an answer of the mock has the host of the request, if the mock could read the host.
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

test('the server closes the connection after a request without a Host header, even if the client keeps its side open', async (t) => {
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

  // The test times out if the connection stays open.
  await closed;

  t.pass();
});

test('the service and the mock ignore an unknown Expect header', async (t) => {
  const answer = await send(server().url, `GET /healthz HTTP/1.1\r\n${rest}Expect: tea\r\n\r\n`);
  const ofMock = await send(mock.url, `GET /docs/errors HTTP/1.1\r\n${rest}Expect: tea\r\n\r\n`);

  t.deepEqual([answer.status, answer.text], [200, '{"status":"ok"}']);
  t.is(ofMock.status, 200);
});

test('the service and the mock accept an absolute URL in the request line', async (t) => {
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

let mockUrl: string;
let stopMock: () => Promise<void>;

test.before(async () => {
  const mock = await startMock();
  mockUrl = mock.url;
  stopMock = () => mock.stop();
});

test.after.always(() => stopMock?.());

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const megabyte = 1024 * 1024;

const requests: [situation: string, line: string, headers: string, status: number][] = [
  ['without a credential', 'POST /api/v1/payments/checkout', json, 413],
  ['in another media type', 'POST /api/v1/payments/checkout', 'Content-Type: text/plain\r\n', 401],
  ['in another charset', 'POST /api/v1/payments/checkout', `${json.trim()}; charset=utf-16\r\n`, 415],
  ['in another encoding', 'POST /api/v1/payments/checkout', `${json}Content-Encoding: zstd\r\n`, 413],
  ['with a method that the address does not have', 'DELETE /api/v1/payments/checkout', '', 405],
  ['to an unknown path of the API', 'POST /api/v1/nothing', '', 404],
  ['for a page', 'GET /docs/errors', '', 200],
  ['to a page that does not exist', 'POST /nothing', json, 413],
  ['of a form for a payment that does not exist', 'POST /checkout/nothing', form, 404],
  ['of a form for a step', 'POST /checkout/00000000-0000-4000-8000-000000000000/step', form, 413],
  ['of a processor', 'POST /processors/stripe/webhook', json, 413],
  ['with a logo', 'POST /api/v1/dashboard/settings/logo', json, 413],
  ['of a probe', 'GET /healthz', '', 200],
];

async function sendPart(
  t: ExecutionContext,
  url: string,
  head: string,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  let text = '';
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const [heads, body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(heads ?? '')?.[1] ?? 0);
      if (heads !== undefined && text.includes('\r\n\r\n') && body.length >= length) resolve(text);
    });
    socket.on('error', reject);
  });
  await once(socket, 'connect');
  socket.write(`${head}Host: ${hostname}\r\n`);
  return { socket, answer };
}

function keepSending(socket: Socket): () => void {
  let isOver = false;
  const part = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const sendPart = () => void (isOver || socket.write(part, () => setTimeout(sendPart, 1)));
  sendPart();
  return () => {
    isOver = true;
  };
}

const closes = (answer: string) => /\r\nconnection: close\r\n/i.test(answer);
const next = 'GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';

for (const [situation, line, headers, status] of requests) {
  test(`a request ${situation} with an endless body is answered, and the answer closes its connection`, async (t) => {
    const { socket, answer } = await sendPart(
      t,
      server().url,
      `${line} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n`,
    );
    socket.write('\r\n');
    const stopSending = keepSending(socket);
    const text = await answer;
    stopSending();

    t.regex(text, new RegExp(`^HTTP/1.1 ${status} `));
    t.true(closes(text), text);
    await once(socket, 'end');
  });

  test(`after a request ${situation} with a body of a megabyte, the connection accepts another call`, async (t) => {
    const { socket, answer } = await sendPart(
      t,
      server().url,
      `${line} HTTP/1.1\r\n${headers}Content-Length: ${megabyte}\r\n`,
    );
    socket.write(`\r\n${' '.repeat(megabyte)}`);
    const text = await answer;
    t.false(closes(text), text);

    const second = once(socket, 'data');
    socket.write(next);

    t.regex(String(await second), /^HTTP\/1.1 404 /);
  });
}

test('when the body of a request never ends, the mock too answers, and then closes the connection', async (t) => {
  for (const line of [
    'POST /api/v1/payments/checkout',
    'POST /api/v1/nothing',
    'POST /checkout/nothing',
    'GET /_mock',
  ]) {
    const { socket, answer } = await sendPart(t, mockUrl, `${line} HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n`);
    socket.write('\r\n');
    const stopSending = keepSending(socket);
    const text = await answer;
    stopSending();

    t.true(closes(text), text);
    await once(socket, 'end');
  }
});

const readers: [line: string, headers: string, limit: number, of: 'both' | 'server'][] = [
  ['POST /api/v1/payments/checkout', json, 100 * 1024, 'both'],
  ['POST /api/v1/nothing', json, 100 * 1024, 'server'],
  ['POST /checkout/00000000-0000-4000-8000-000000000000/step', form, 4096, 'server'],
  ['POST /processors/test/webhook', json, megabyte, 'server'],
  ['POST /api/v1/dashboard/settings/logo', json, 384 * 1024, 'both'],
];

for (const [line, headers, limit, of] of readers) {
  const urls = () => (of === 'both' ? [server().url, mockUrl] : [server().url]);

  test(`a request that declares a too large body is refused before the body is sent: ${line}`, async (t) => {
    for (const url of urls()) {
      for (const expect of ['', 'Expect: 100-continue\r\n']) {
        const head = `${line} HTTP/1.1\r\n${headers}${expect}Content-Length: 40000000\r\n`;
        const { socket, answer } = await sendPart(t, url, head);
        socket.write('\r\n');
        const text = await answer;

        t.regex(text, /^HTTP\/1.1 413 /, url);
        t.true(closes(text), text);
        await once(socket, 'end');
      }
    }
  });

  test(`a client that expects 100 Continue gets it for a body within the limit, and not for a larger body: ${line}`, async (t) => {
    for (const url of urls()) {
      const ask = (length: number) =>
        sendPart(t, url, `${line} HTTP/1.1\r\n${headers}Expect: 100-continue\r\nContent-Length: ${length}\r\n`);
      const refused = await ask(limit + 1);
      refused.socket.write('\r\n');
      const text = await refused.answer;

      t.regex(text, /^HTTP\/1.1 413 /, url);
      t.true(closes(text), text);
      await once(refused.socket, 'end');

      const { socket } = await ask(2);
      socket.write('\r\n');
      const [interim] = await once(socket, 'data');
      t.is(String(interim), 'HTTP/1.1 100 Continue\r\n\r\n', url);
      socket.write('{}');
      const [final] = await once(socket, 'data');
      t.notRegex(String(final), /^HTTP\/1.1 (1|413)/, url);
      t.false(closes(String(final)), url);
    }
  });
}

test('a client that expects 100 Continue does not get it for a body that is not read, and its connection is closed', async (t) => {
  for (const [url, line] of [
    [server().url, 'GET /healthz'],
    [server().url, 'DELETE /api/v1/payments/checkout'],
    [mockUrl, 'GET /docs/errors'],
  ] as const) {
    const { socket, answer } = await sendPart(
      t,
      url,
      `${line} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n`,
    );
    socket.write('\r\n');
    const text = await answer;

    t.notRegex(text, /^HTTP\/1.1 100 /, line);
    t.true(closes(text), text);
    await once(socket, 'end');
  }
});

for (const [type, size, status] of [
  ['application/json', 2_200_000, 413],
  ['text/plain', 5_000_000, 401],
] as const) {
  test(`a client that sends ${size} bytes of ${type} before it reads gets the error body`, async (t) => {
    const head = `POST /api/v1/payments/checkout HTTP/1.1\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n`;
    const { socket, answer } = await sendPart(t, server().url, head);
    socket.write(`\r\n${' '.repeat(size)}`);

    const text = await answer;

    t.regex(text, new RegExp(`^HTTP/1.1 ${status} `));
    t.regex(text, /\r\n\r\n\{"success":false,"message":"[A-Z]/);
    await once(socket, 'end');
  });
}

test('a client with one connection can continue to call after bodies of any size were refused', async (t) => {
  const pool = new Pool(server().url, { connections: 1 });
  t.teardown(() => pool.destroy());
  const statuses: number[] = [];

  for (const size of [200_000, megabyte, 3 * megabyte, 200_000, 5 * megabyte]) {
    const headers = { 'content-type': 'application/json' };
    const refused = await pool.request({
      path: '/api/v1/payments/checkout',
      method: 'POST',
      headers,
      body: Buffer.alloc(size, ' '),
    });
    await refused.body.dump();
    const { statusCode, body } = await pool.request({ path: '/healthz', method: 'GET' });
    await body.dump();
    statuses.push(refused.statusCode, statusCode);
  }

  t.deepEqual(statuses, [413, 200, 413, 200, 413, 200, 413, 200, 413, 200]);
});
