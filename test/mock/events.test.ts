import './unobserved.ts';
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { type ErrorBody, readContract } from '@tillhook/openapi';
import { unwrap } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { postWebhook } from '../../developer/src/sending/post-webhook.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import type { JsonResponse } from '../support/server/tillhook.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const mock = await startMockInRun();
test.after.always(() => mock.stop());

const names = [
  'checkout.success',
  'checkout.failed',
  'checkout.expired',
  'transfer.success',
  'transfer.failed',
  'refund.success',
  'refund.failed',
  'test.event',
];

test('the list of events in this test file has every event of the contract', (t) => {
  t.deepEqual(
    readContract().model.webhooks.map(({ name }) => name),
    names,
  );
});

for (const event of names) {
  test(`the mock sends ${event} with a signature and every header of a delivery`, async (t) => {
    const receiver = await listen(t);

    const answer = await order({ event, url: receiver.url, secret, data: { reference: 'order-7' } });

    t.is(answer.status, 200);
    const sent = await answer.json();
    t.like(sent, { delivered: true, attempts: [{ attempt: 1, statusCode: 200, error: null }] });
    const [delivery] = receiver.deliveries;
    t.is(delivery?.verification, 'verified');
    t.like(delivery?.headers, {
      'x-service-event': event,
      'x-service-attempt': '1',
      'x-service-delivery-id': sent.deliveryId,
      'webhook-id': sent.eventId,
      'x-service-webhook-id': sent.body.webhookId,
    });
    const webhook = await unwrap(delivery?.body ?? '', delivery?.headers ?? {}, secret);
    t.like(webhook, { event, data: { reference: 'order-7' } });
    if (webhook.event === 'checkout.expired') t.is(webhook.data.reason, 'expired');
    t.true(Math.abs(Date.now() - Date.parse(webhook.timestamp)) < 60_000);
  });
}

test('the mock signs with the endpoint’s secret at a registered URL, and with the example secret at any other URL', async (t) => {
  const own = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = await listen(t, [own]);

  await order({ event: 'checkout.success', url: receiver.url });
  const registered = await fetch(`${mock.url}/api/v1/merchant-webhooks`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_mock', 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  });
  const endpoint = (await registered.json()) as { id: string; secret: string };
  const otherName = receiver.url.replace('127.0.0.1', 'localhost');
  const sent = await order({ event: 'checkout.success', url: otherName });

  const [before, after] = receiver.deliveries;
  t.is(before?.verification, 'verified');
  t.is((await sent.json()).body.webhookId, endpoint.id);
  t.is(after?.verification, 'refused');
  t.like(await unwrap(after?.body ?? '', after?.headers ?? {}, endpoint.secret), { event: 'checkout.success' });
});

test('the mock retries after one second and then after two seconds, with the same webhook-id and the next attempt number', async (t) => {
  const receiver = await listen(t);
  receiver.setAnswer((_, index) => ({ status: [503, 301, 204][index] ?? 500 }));

  const { delivered, attempts } = await (await order({ event: 'test.event', url: receiver.url, secret })).json();

  t.true(delivered);
  t.deepEqual(
    attempts.map(({ statusCode }: { statusCode: number }) => statusCode),
    [503, 301, 204],
  );
  const { deliveries } = receiver;
  t.deepEqual(
    deliveries.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3'],
  );
  t.is(new Set(deliveries.map(({ body }) => String(body))).size, 1);
  t.is(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size, 1);
  const [first = 0, second = 0, third = 0] = deliveries.map(({ receivedAt }) => receivedAt.getTime());
  t.true(second - first >= 990 && third - second >= 1990);
});

test('the mock does not retry after 410', async (t) => {
  const receiver = await listen(t);
  receiver.setAnswer(() => ({ status: 410 }));

  const { delivered, attempts } = await (await order({ event: 'test.event', url: receiver.url, secret })).json();

  t.deepEqual([delivered, attempts.length], [false, 1]);
});

const refused: [situation: string, order: unknown, code: string, param: string | null][] = [
  ['the event does not exist', { event: 'checkout.paid', url: 'http://a.example' }, 'invalid_parameter', 'event'],
  ['the event is missing', { url: 'http://a.example' }, 'missing_parameter', 'event'],
  ['the address is missing', { event: 'test.event' }, 'missing_parameter', 'url'],
  ['the address is not a web address', { event: 'test.event', url: 'file:///etc/passwd' }, 'invalid_url', 'url'],
  [
    'the secret is masked',
    { event: 'test.event', url: 'http://a.example', secret: 'whsec_••••' },
    'invalid_parameter',
    'secret',
  ],
  [
    'the data has a value of the wrong type',
    { event: 'test.event', url: 'http://a.example', data: { amount: 'x' } },
    'invalid_parameter',
    'data.amount',
  ],
  [
    'the data has an unknown field',
    { event: 'test.event', url: 'http://a.example', data: { a: 1 } },
    'invalid_parameter',
    'data.a',
  ],
  ['the data is a string', { event: 'test.event', url: 'http://a.example', data: 'x' }, 'invalid_parameter', 'data'],
  ['the data is null', { event: 'test.event', url: 'http://a.example', data: null }, 'invalid_parameter', 'data'],
  ['the data is a list', { event: 'test.event', url: 'http://a.example', data: [] }, 'invalid_parameter', 'data'],
  [
    'the event is a property of every object',
    { event: 'toString', url: 'http://a.example' },
    'invalid_parameter',
    'event',
  ],
  ['the event is __proto__', { event: '__proto__', url: 'http://a.example' }, 'invalid_parameter', 'event'],
  ['the body has an unknown field', { event: 'test.event', url: 'http://a.example', to: 1 }, 'unknown_parameter', 'to'],
  ['the body is not an object', [], 'invalid_parameter', null],
];

for (const [situation, eventOrder, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const answer = await order(eventOrder);

    t.is(answer.status, 400);
    t.like(((await answer.json()) as ErrorBody).error, { code, param });
  });
}

test('400 with a list of the invalid fields in the data of the event', async (t) => {
  const eventOrder = { event: 'checkout.success', url: 'http://a.example' };
  const wrong = await (await order({ ...eventOrder, data: { amount: 'x', colour: 1 } })).json();
  const none = await (await order({ ...eventOrder, data: null })).json();

  t.deepEqual(
    wrong.error.details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`).sort(),
    ['/data/amount must be a whole number', '/data/colour is no field of this event'],
  );
  t.is(none.message, 'data must be an object');
});

test('403 when a page of another origin sends an event', async (t) => {
  const answer = await order({ event: 'test.event', url: 'http://a.example' }, { Origin: 'https://elsewhere.example' });

  t.is(answer.status, 403);
});

test('the command mock:event sends an event, and its exit code says whether the receiver accepted the event', async (t) => {
  const receiver = await listen(t);

  const data = ['--data', '{"reference":"order-1"}'];
  const { stdout } = await command('checkout.success', '--to', receiver.url, '--secret', secret, ...data);
  receiver.setAnswer(() => ({ status: 410, body: '\nmoved \u001b[31maway\nfor ever' }));
  const failed = await command('checkout.success', '--to', receiver.url, '--secret', secret).catch((error) => error);
  const closed = await command('checkout.success', '--to', 'http://127.0.0.1:1').catch((error) => error);
  const wrong = await command('checkout.success', '--to', 'nowhere').catch((error) => error);

  t.regex(stdout, /^signed with the given secret\nattempt 1: 200 in \d+ ms\n$/);
  t.is(receiver.deliveries[0]?.verification, 'verified');
  t.like(failed, { code: 1 });
  t.regex(failed.stdout, /^signed with the given secret\nattempt 1: 410 in \d+ ms: moved \uFFFD\[31maway\n$/);
  t.regex(closed.stdout, /attempt 1: refused in \d+ ms: No program listens at this address: start your receiver\.\n/);
  t.like(wrong, { code: 2, stderr: 'url must begin with http:// or https://\n' });
});

test('the commands mock and mock:event print their usage for --help', async (t) => {
  for (const args of [['--help'], ['-h']]) {
    const { stdout, stderr } = await run(...args);
    t.regex(stdout, /^Usage: npm run mock\n +npm run mock:event -- <event> --to[\s\S]*MOCK_PORT/);
    t.is(stderr, '');
  }
  const { stdout } = await run('event', '--help');
  t.regex(stdout, /^Usage: npm run mock:event -- <event> --to[\s\S]*--secret <[\s\S]*"bad-signature"[\s\S]*Exit codes/);
});

const command = (...args: string[]) => run('event', ...args);

function run(...args: string[]) {
  const file = new URL('../../mock/src/commands/mock.ts', import.meta.url).pathname;
  return promisify(execFile)(process.execPath, ['--conditions=@tillhook/source', file, ...args], { timeout: 60_000 });
}

async function listen(t: ExecutionContext, secrets = [secret]) {
  const receiver = await startReceiver({ secrets });
  t.teardown(() => receiver.stop());
  return receiver;
}

function order(body: unknown, headers: Record<string, string> = {}): Promise<JsonResponse> {
  return fetch(`${mock.url}/__mock/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

// A URL that cannot be called must lead to a failed attempt, and not to an error that ends the process.

for (const url of ['', 'nowhere', 'http://', 'http://localhost:99999/', 'ftp://localhost/webhooks', 'https://[::1']) {
  test(`a webhook to the impossible URL "${url}" is recorded as a failed attempt`, async (t) => {
    const outcome = await postWebhook(url, { headers: {}, body: '{}' });

    t.like(outcome, { statusCode: null, error: 'network_error', responseBody: null });
  });
}

const own = ['http://localhost:5173', 'https://shop.localhost', 'http://127.0.0.1', 'http://[::1]:8080'];
const foreign = ['https://evil.example', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example:4010', 'null'];

async function call(method: string, path: string, { origin, body }: { origin?: string; body?: object } = {}) {
  const headers = {
    Authorization: 'Bearer sk_test_mock',
    'Content-Type': 'application/json',
    ...(origin && { Origin: origin }),
  };
  const answer = await fetch(`${mock.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const read = (await answer.json()) as { id: string; url: string; error: { code: string } };
  return { status: answer.status, body: read };
}

for (const origin of foreign) {
  test(`a page of ${origin} cannot register an endpoint or change its URL`, async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { body: endpoint } = await call('POST', '/api/v1/merchant-webhooks', { body: { url: receiver.url } });
    t.teardown(() => call('DELETE', `/api/v1/merchant-webhooks/${endpoint.id}`));
    const path = `/api/v1/merchant-webhooks/${endpoint.id}`;

    const registered = await call('POST', '/api/v1/merchant-webhooks', { origin, body: { url: `${receiver.url}/a` } });
    const moved = await call('PATCH', path, { origin, body: { url: `${receiver.url}/b` } });
    const paused = await call('PATCH', path, { origin, body: { isActive: false } });

    t.deepEqual([registered.status, moved.status, paused.status], [403, 403, 200]);
    t.is(registered.body.error.code, 'cross_site_request');
    t.is((await call('GET', path)).body.url, receiver.url);
  });
}

for (const origin of own) {
  test(`a page of ${origin} can register an endpoint and change its URL`, async (t) => {
    const url = 'http://localhost:9/webhooks';
    const registered = await call('POST', '/api/v1/merchant-webhooks', { origin, body: { url } });
    const path = `/api/v1/merchant-webhooks/${registered.body.id}`;
    t.teardown(() => call('DELETE', path));

    t.is(registered.status, 201);
    t.is((await call('PATCH', path, { origin, body: { url: `${url}/other` } })).status, 200);
  });
}

/** `fetch` does not let the caller set `Host`, so this function uses `node:http`. */
const statusFor = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${mock.url}/__mock/endpoints`, { headers: { Host: host } }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .once('error', reject)
      .end();
  });

test('the secrets of endpoints are shown only to callers with a host name of this machine', async (t) => {
  const { port } = new URL(mock.url);

  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.is(await statusFor(`${host}:${port}`), 200);
  for (const host of ['evil.example', 'localhost.evil.example']) t.is(await statusFor(`${host}:${port}`), 403);
});
