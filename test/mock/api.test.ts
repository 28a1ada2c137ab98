import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import { type ErrorBody, readContract } from '@tillhook/openapi';
import test from 'ava';
import { createSchemas } from '../../mock/src/schemas.ts';

const mock = await startMock();
test.after.always(() => mock.stop());

const errorIn = async (answer: Response) => ((await answer.json()) as ErrorBody).error;

const bearer = { Authorization: 'Bearer sk_test_mock' };
const transfers = `${mock.url}/api/v1/transfers`;

test('answers with the example that the caller prefers', async (t) => {
  const answer = await fetch(transfers, { headers: { ...bearer, Prefer: 'example=empty' } });

  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { transfers: [], total: 0 });
});

test('accepts preferences in the query too, for links', async (t) => {
  const answer = await fetch(`${transfers}?__code=401&__example=wrongHeader`, { headers: bearer });

  t.is(answer.status, 401);
  t.is((await errorIn(answer)).code, 'wrong_auth_header');
});

test('generates answers from the schema on request, and the same answer for the same seed', async (t) => {
  const fits = createSchemas(readContract().document).ofJson('/components/schemas/Transfer');
  for (const seed of ['1', '2', '3', '4']) {
    const ask = () => fetch(transfers, { headers: { ...bearer, Prefer: `dynamic=true, seed=${seed}` } });
    const body = await (await ask()).text();

    const [first] = (JSON.parse(body) as { transfers: { reference: string }[] }).transfers;
    t.true(fits(first), JSON.stringify(fits.errors));
    t.not(first?.reference, 'payout-77');
    t.is(await (await ask()).text(), body);
  }
});

test('400 lists what the contract has if it does not have the preferred answer', async (t) => {
  const wishes = [
    'code=418',
    'code=200, example=nothing',
    'example=nothing',
    'dynamic=maybe',
    'wait=soon',
    'wait=30001',
  ];
  for (const wish of wishes) {
    const answer = await fetch(transfers, { headers: { ...bearer, Prefer: wish } });

    t.is(answer.status, 400);
    t.like(await errorIn(answer), { code: 'invalid_parameter', param: 'Prefer' });
  }
});

test('400 for an unknown preference in the query, with the known ones, and none for one in the header', async (t) => {
  const [unknown, mistyped] = [
    await fetch(`${transfers}?__nope=1`, { headers: bearer }),
    await fetch(`${transfers}?__cod=404`, { headers: bearer }),
  ];
  const preferred = await fetch(transfers, {
    headers: { ...bearer, Prefer: 'respond-async, status-code=404, cod=404, example=empty' },
  });

  t.deepEqual([unknown.status, mistyped.status, preferred.status], [400, 400, 200]);
  t.like(await errorIn(unknown), { code: 'unknown_parameter', param: '__nope' });
  const { message } = (await mistyped.json()) as ErrorBody;
  t.is(message, '__cod is not one of __code, __example, __dynamic, __seed, __wait');
  t.deepEqual(await preferred.json(), { transfers: [], total: 0 });
});

test('waits as long as the caller prefers', async (t) => {
  const startedAt = performance.now();
  const answer = await fetch(`${transfers}?__wait=60`, { headers: { ...bearer, Prefer: 'wait=50' } });

  t.is(answer.status, 200);
  t.true(performance.now() - startedAt >= 48);
});

test('400 when the body is not JSON', async (t) => {
  const answer = await fetch(`${mock.url}/api/v1/payments/checkout`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk_test_mock', 'Content-Type': 'application/json' },
    body: '{"email":',
    signal: AbortSignal.timeout(60_000),
  });

  t.is(answer.status, 400);
  t.is((await errorIn(answer)).code, 'invalid_json');
});

test('400 when the callbackUrl of a live payment does not use TLS', async (t) => {
  const ask = (key: string) =>
    fetch(`${mock.url}/api/v1/payments/checkout`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', amount: 1, callbackUrl: 'http://shop.example.com' }),
    });

  t.is((await ask('sk_test_mock')).status, 201);
  const refused = await ask('sk_live_mock');
  t.is(refused.status, 400);
  t.like(await errorIn(refused), { code: 'invalid_url', param: 'callbackUrl' });
});

test('a refund is of the payment in the path, and without an amount it is the example of all that is left', async (t) => {
  const refund = async (body?: object) => {
    const headers = { ...bearer, ...(body && { 'Content-Type': 'application/json' }) };
    const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${mock.url}/api/v1/payments/order-1047/refunds`, init);
    return [answer.status, await answer.json()] as const;
  };
  const { operationById } = readContract().model;
  const rest = operationById.get('createRefund')?.success.content?.examples.get('rest')?.value as object;
  const left = { ...rest, paymentReference: 'order-1047' };

  const [status, part] = await refund({ amount: 700, reference: 'refund-7' });
  t.is(status, 201);
  t.like(part, { paymentReference: 'order-1047', reference: 'refund-7', amount: 700 });
  const [, named] = await refund({ amount: 700 });
  t.like(named, { paymentReference: 'order-1047', reference: 'refund-1042' });
  t.deepEqual(await refund(), [201, left]);
  t.deepEqual(await refund({ reason: 'Too late' }), [201, { ...left, reason: 'Too late' }]);
});

test('answers HEAD as GET, and with JSON whatever Accept says', async (t) => {
  const answer = await fetch(transfers, { method: 'HEAD', headers: { ...bearer, Accept: 'text/html' } });

  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/json');
});

test('answers a list as CSV if Accept begins with it, and refuses a wrong request as JSON all the same', async (t) => {
  const ask = (query: string) => fetch(`${transfers}${query}`, { headers: { ...bearer, Accept: 'text/csv' } });
  const answer = await ask('');
  const filtered = await ask('?status=failed&limit=1');
  const refused = await ask('?limit=0');

  t.is(answer.headers.get('content-type'), 'text/csv');
  const file = await answer.text();
  t.regex(file, /^id,reference,.*,metadata\n[\da-f-]{36},payout-77,completed,250000,2500\.00,/);
  t.is(await filtered.text(), file);
  t.is(refused.status, 400);
  t.is((await errorIn(refused)).code, 'invalid_parameter');
});

test('allows calls from pages of every origin, with a key and with cookies, and lets them read every header', async (t) => {
  const origin = { Origin: 'http://app.example' };
  const preflight = await fetch(transfers, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
  });
  const answer = await fetch(transfers, { headers: { ...origin, ...bearer } });
  const refused = await fetch(transfers, { headers: origin });

  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-headers'), 'authorization');
  t.is(preflight.headers.get('access-control-max-age'), '600');
  t.is(answer.headers.get('access-control-max-age'), null);
  for (const { headers } of [preflight, answer, refused]) {
    t.is(headers.get('access-control-allow-origin'), 'http://app.example');
    t.is(headers.get('access-control-allow-credentials'), 'true');
    t.is(headers.get('vary'), 'Origin, Access-Control-Request-Headers');
    t.is(
      headers.get('access-control-expose-headers'),
      'Content-Disposition, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
    );
  }
});

test('allows a caller without an origin by a wildcard', async (t) => {
  const { headers } = await fetch(transfers, { headers: bearer });

  t.is(headers.get('access-control-allow-origin'), '*');
  t.is(headers.get('access-control-allow-credentials'), null);
  t.is(headers.get('vary'), 'Origin, Access-Control-Request-Headers');
});

test('signing in sets a cookie, which is accepted with a mode and refused without one', async (t) => {
  const session = `${mock.url}/api/v1/dashboard/session`;
  const signedIn = await fetch(session, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'demo@example.com', password: 'gm2wk-9p4hd-t7x3n' }),
  });
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');

  const inTest = await fetch(session, { headers: { Cookie: cookie, 'X-Service-Mode': 'test' } });
  const inNone = await fetch(session, { headers: { Cookie: cookie } });

  t.regex(cookie, /^tillhook_session=.+/);
  t.deepEqual([signedIn.status, inTest.status, inNone.status], [200, 200, 403]);
});

test('calls onAnswer with one line for each request', async (t) => {
  const lines: string[] = [];
  const talking = await startMock({ onAnswer: (line) => lines.push(line) });
  t.teardown(() => talking.stop());

  await fetch(`${talking.url}/api/v1/transfers`);

  t.deepEqual(lines, ['401 GET /api/v1/transfers (This operation needs an API key)']);
});

test('still answers when onAnswer fails, and prints a warning', async (t) => {
  const failing = [
    () => {
      throw new Error('the listener is deaf');
    },
    async () => Promise.reject(new Error('the listener is deaf')),
  ];
  for (const onAnswer of failing) {
    const talking = await startMock({ onAnswer });
    t.teardown(() => talking.stop());
    const warned = once(process, 'warning');

    t.is((await fetch(`${talking.url}/api/v1/transfers`)).status, 401);
    t.is((await fetch(`${talking.url}/api/v1/transfers`)).status, 401);
    t.regex((await warned)[0].message, /^onAnswer failed: Error: the listener is deaf/);
  }
});

test('does not start on a port in use', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  await t.throwsAsync(startMock({ port }), { message: `127.0.0.1:${port} is in use: another program listens there.` });
});
