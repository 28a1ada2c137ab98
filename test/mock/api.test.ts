import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '@tillhook/mock/api';
import type { ErrorBody } from '@tillhook/openapi';
import test from 'ava';

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

test('takes preferences from the query too, for links', async (t) => {
  const answer = await fetch(`${transfers}?__code=401&__example=wrongHeader`, { headers: bearer });

  t.is(answer.status, 401);
  t.is((await errorIn(answer)).code, 'wrong_auth_header');
});

test('makes answers up from the schema when asked to', async (t) => {
  const answer = await fetch(transfers, { headers: { ...bearer, Prefer: 'dynamic=true' } });

  const body = (await answer.json()) as { transfers: { reference: string }[] };
  t.is(answer.status, 200);
  t.true(Array.isArray(body.transfers));
  t.not(body.transfers[0]?.reference, 'payout-77');
});

test('says in problem JSON that the contract lacks what was preferred', async (t) => {
  const answer = await fetch(transfers, { headers: { ...bearer, Prefer: 'code=418' } });

  t.is(answer.status, 404);
  t.is(answer.headers.get('content-type'), 'application/problem+json');
  t.regex(((await answer.json()) as { detail: string }).detail, /418/);
});

test('400 says in a header which rule the request broke', async (t) => {
  const answer = await fetch(`${transfers}?limit=0`, { headers: bearer });

  t.is(answer.status, 400);
  t.is((await errorIn(answer)).code, 'invalid_parameter');
  t.deepEqual(JSON.parse(answer.headers.get('sl-violations') ?? ''), [
    { location: ['request', 'query', 'limit'], message: 'Request query parameter limit must be >= 1' },
  ]);
});

test('400 when the body is not JSON', async (t) => {
  const answer = await fetch(`${mock.url}/api/v1/payments/checkout`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk_test_mock', 'Content-Type': 'application/json' },
    body: '{"email":',
    signal: AbortSignal.timeout(20_000),
  });

  t.is(answer.status, 400);
  t.is((await errorIn(answer)).code, 'invalid_json');
});

test('413 when the body is larger than the mock reads', async (t) => {
  const answer = await fetch(`${mock.url}/api/v1/payments/checkout`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk_test_mock', 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'x'.repeat(1024 * 1024) }),
  });

  t.is(answer.status, 413);
});

test('answers HEAD as GET, and JSON whatever is accepted', async (t) => {
  const answer = await fetch(transfers, { method: 'HEAD', headers: { ...bearer, Accept: 'text/html' } });

  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/json');
});

test('lets the pages of every origin in, with a key but without cookies', async (t) => {
  const origin = { Origin: 'http://app.example' };
  const preflight = await fetch(transfers, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
  });
  const answer = await fetch(transfers, { headers: { ...origin, ...bearer } });

  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-headers'), 'authorization');
  t.is(answer.headers.get('access-control-allow-origin'), '*');
  t.is(answer.headers.get('access-control-allow-credentials'), null);
});

test('gives a cookie to whoever signs in, and takes it with the mode and not without', async (t) => {
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
  t.deepEqual([signedIn.status, inTest.status, inNone.status], [200, 200, 401]);
});

test('tells of each request in one line', async (t) => {
  const lines: string[] = [];
  const talking = await startMock({ onAnswer: (line) => lines.push(line) });
  t.teardown(() => talking.stop());

  await fetch(`${talking.url}/api/v1/transfers`);

  t.deepEqual(lines, ['401 GET /api/v1/transfers (Invalid security scheme used)']);
});

test('does not start on a port in use', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  await t.throwsAsync(startMock({ port }), { message: `127.0.0.1:${port} is in use: something else listens there.` });
});
