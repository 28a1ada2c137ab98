/** Nearly every test starts a server with other settings in this process, because that takes less time. */
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/network/free-port.ts';
import { loggedErrors } from '../support/server/logged-errors.ts';
import { startOwnServer, startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { addUser, password } from '../support/users/users.ts';

// Over https, the prefix of the cookie's name keeps other hosts from setting the cookie.

const addresses: [publicUrl: string, name: string, path: string][] = [
  ['https://pay.example.com', '__Host-tillhook_session', '/'],
  ['https://shop.example.com/pay', '__Secure-tillhook_session', '/pay/'],
  ['http://pay.example.com', 'tillhook_session', '/'],
];

async function signedIn(t: ExecutionContext, publicUrl: string) {
  const port = String(await freePort());
  const server = await startServer(t, { ROLE: 'api', PORT: port, PUBLIC_URL: publicUrl });
  const { id } = await server.arrange('createMerchant', { name: 'Ada’s Books' });
  const email = await addUser(server, { id } as TestMerchant);
  // The test calls the local port as a proxy would, because nothing listens at the public address.
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/dashboard/session`, { method, headers, ...(body && { body }) });
  const json = { 'content-type': 'application/json' };
  const response = await ask('POST', json, JSON.stringify({ email, password }));
  const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? [];
  return {
    pair,
    attributes,
    ask: (cookie: string, method = 'GET') => ask(method, { cookie, 'x-service-mode': 'test' }),
  };
}

for (const [publicUrl, name, path] of addresses) {
  test(`the session cookie of ${publicUrl} is named ${name}, and cookies with other names are ignored`, async (t) => {
    const { pair, attributes, ask } = await signedIn(t, publicUrl);
    const token = pair.slice(name.length + 1);

    t.is(pair, `${name}=${token}`);
    t.true(attributes.includes(`Path=${path}`), attributes.join());
    t.is(attributes.includes('Secure'), publicUrl.startsWith('https:'));
    t.false(attributes.some((attribute) => attribute.startsWith('Domain')));
    t.is((await ask(pair)).status, 200);
    for (const [, other] of addresses.filter(([, other]) => other !== name)) {
      const refused = await ask(`${other}=${token}`);
      t.is(refused.status, 401);
      t.is(refused.headers.get('www-authenticate'), `Cookie realm="tillhook", cookie-name="${name}"`);
    }
    t.regex((await ask(pair, 'DELETE')).headers.get('set-cookie') ?? '', new RegExp(`^${name}=;`));
  });
}

test('the log warns once about a proxy that sends malformed addresses, and rate limits count calls with these addresses by the address of the connection', async (t) => {
  const server = await startOwnServer(t, { ROLE: 'api', TRUST_PROXY: '1', RATE_LIMITS: 'refused_key:2/1000' });
  const warnings: unknown[] = [];
  Object.assign(server.context.log, { warn: (fields: unknown) => void warnings.push(fields) });
  const statusOf = async (address: string) =>
    (await server.request('/api/v1/me', { key: 'sk_test_wrong', headers: { 'x-forwarded-for': address } })).status;

  const unreadable = [await statusOf('unknown'), await statusOf('_hidden'), await statusOf('203.0.113.9, nonsense')];
  const readable = [await statusOf('203.0.113.9:1'), await statusOf('nonsense, 203.0.113.9:2')];

  t.deepEqual(unreadable, [401, 401, 429]);
  t.deepEqual(readable, [401, 401]);
  t.is(await statusOf('203.0.113.9'), 429);
  t.deepEqual(warnings, [{ address: 'unknown', countedBy: '127.0.0.1' }]);
});

test('an entry of X-Forwarded-For that names a trusted proxy is skipped, even if the entry has a port', async (t) => {
  const server = await startServer(t, {
    ROLE: 'api',
    TRUST_PROXY: 'loopback,10.0.0.0/8',
    RATE_LIMITS: 'refused_key:1/1000',
  });
  const statusOf = async (address: string) =>
    (await server.request('/api/v1/me', { key: 'sk_test_wrong', headers: { 'x-forwarded-for': address } })).status;

  t.is(await statusOf('203.0.113.9:1, 10.1.2.3:80'), 401);
  t.is(await statusOf('203.0.113.8:1, 10.1.2.3:80'), 401);
  t.is(await statusOf('203.0.113.9:2, [::ffff:10.1.2.3]:80'), 429);
});

async function callWithUnknownScope(t: ExecutionContext, environment: string) {
  const server = await startOwnServer(t, { NODE_ENV: environment, ROLE: 'api' });
  const errors = loggedErrors(server);
  const { id, testKey } = await server.createMerchant();
  await server.database.query(`update api_key set scopes = '{moon:read}' where merchant_id = $1`, [id]);
  // The test does not use the `fetch` of the other tests, which would itself refuse the answer.
  const response = await fetch(`${server.url}/api/v1/me`, { headers: { Authorization: `Bearer ${testKey}` } });
  return { response, errors };
}

test('outside tests, an answer that differs from the contract is sent and logged, because the operation has been committed', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'development');

  t.is(response.status, 200);
  t.like(await response.json(), { key: { scopes: ['moon:read'] } });
  t.regex(errors.join(), /scopes/);
});

test('in tests, the server answers 500 instead of an answer that differs from the contract', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'test');

  t.is(response.status, 500);
  t.regex(errors.join(), /scopes/);
});

test('in production, answers are not checked against the contract', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'production');

  t.is(response.status, 200);
  t.deepEqual(errors, []);
});

test('a probe that succeeds is not logged, and a probe that fails is logged', async (t) => {
  const server = await startOwnServer(t);
  const lines: string[] = [];
  const { log } = server.context;
  const keep =
    (level: string) =>
    ({ path, status }: { path?: string; status?: number }) =>
      lines.push(`${level} ${path} ${status}`);
  Object.assign(log, { child: () => log, info: keep('info'), debug: keep('debug') });

  await server.request('/healthz');
  await server.request('/metrics');
  // `/readyz` answers 503 while the database or the schedule responds too slowly.
  const { status } = await server.request('/readyz');
  await server.request('/metrics/more');

  const ofReadiness = `${status === 200 ? 'debug' : 'info'} /readyz ${status}`;
  const expected = ['debug /healthz 200', 'debug /metrics 200', ofReadiness, 'info /metrics/more 404'];
  t.deepEqual(await eventually(() => lines, expected, 10_000).catch(() => lines), expected);
});

test('a URL of 15 KB does not cause a log line of 15 KB', async (t) => {
  const server = await startOwnServer(t);
  const paths: unknown[] = [];
  const { log } = server.context;
  Object.assign(log, { child: () => log, info: ({ path }: { path?: unknown }) => paths.push(path) });

  await server.request(`/api/v1/${'a'.repeat(15_000)}`);
  await server.request('/api/v1/payments');

  // The server logs a request after it has sent the answer, so the client may get the answer first.
  const lengths = () => paths.map((path) => String(path).length);
  const expected = [512, '/api/v1/payments'.length];
  t.deepEqual(await eventually(lengths, expected, 10_000).catch(lengths), expected);
});
