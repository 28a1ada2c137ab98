import { readContract } from '@tillhook/openapi';
import { loadConfig, startTillhook } from '@tillhook/server';
import { newApiKey } from '@tillhook/server/src/people/keys/api-key.ts';
import test from 'ava';
import { callOperation, credentialHeaders, credentialOf, roleOf, schemesOf } from '../support/calls/call-example.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const limited = serverForFile({ RATE_LIMITS: 'test:1/100,refused_key:100000/1,refused_call:100000/1' });
const ofMerchants = { RATE_LIMITS: 'test:20/100,live:5/100' };
const counting = serverForFile(ofMerchants);
/** The server is behind a proxy, so that each test can call from a different network. */
const guarded = serverForFile({ RATE_LIMITS: 'refused_key:2/100,refused_call:3/100', TRUST_PROXY: '1' });

let networks = 0;
function newNetwork() {
  networks += 1;
  return { 'x-forwarded-for': `198.51.100.${networks}` };
}

for (const operation of readContract().model.operations) {
  for (const scheme of schemesOf(operation)) {
    test(`429 after too many calls: ${operation.id}, ${scheme}`, async (t) => {
      const merchant = await limited().createMerchant();
      const headers = credentialHeaders(
        scheme,
        await credentialOf(limited(), merchant, { scheme, role: roleOf(operation) }),
      );
      const isOperator = roleOf(operation) === 'operator';
      // Calls of an operator do not count against the rate limit of the merchant.
      await limited().request('/api/v1/payments', isOperator ? { headers } : { key: merchant.testKey });

      const response = await callOperation(limited(), operation, { headers });

      t.is(response.status, 429);
      t.is((await response.json()).error.code, 'rate_limited');
      const [, seconds] = /^"test";r=0;t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '') ?? [];
      t.is(response.headers.get('retry-after'), seconds ?? 'missing');
      t.is(response.headers.get('ratelimit-policy'), '"test";q=1;w=100');
    });
  }
}

// These tests run one after another, because they share servers and change the tables of these servers.

test.serial(
  'of concurrent calls, exactly as many as the limit allows pass, and calls of the other mode have a separate limit',
  async (t) => {
    const { testKey, liveKey } = await counting().createMerchant();
    const other = await counting().createMerchant();
    const list = (key: string) => counting().request('/api/v1/payments', { key });
    const passed = async (key: string, calls: number) => {
      const responses = await Promise.all(Array.from({ length: calls }, () => list(key)));
      return responses.filter(({ status }) => status === 200).length;
    };

    t.is(await passed(testKey, 50), 20);
    t.is(await passed(testKey, 5), 0);
    t.is(await passed(liveKey, 7), 5);
    t.is(await passed(other.testKey, 3), 3);
  },
);

test.serial('two processes count calls against the same rate limits', async (t) => {
  const first = counting();
  const second = await startTillhook(loadConfig(testEnvironment(first.database.url, ofMerchants)));
  t.teardown(() => second.stop());
  const { testKey } = await first.createMerchant();
  const headers = { authorization: `Bearer ${testKey}` };

  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      return fetch(`${index % 2 === 0 ? first.url : second.url}/api/v1/payments`, { headers });
    }),
  );

  t.is(responses.filter(({ status }) => status === 200).length, 20);
});

test.serial(
  'calls pass again in the next window of a rate limit, and each answer has the number of calls that are left',
  async (t) => {
    const { testKey } = await counting().createMerchant();
    const list = () => counting().request('/api/v1/payments', { key: testKey });

    t.regex((await list()).headers.get('ratelimit') ?? '', /^"test";r=19;t=\d+$/);
    await counting().database.query('update rate_limit set expire = 0');
    t.regex((await list()).headers.get('ratelimit') ?? '', /^"test";r=19;t=\d+$/);
  },
);

test.serial(
  '429 for an address that sent too many wrong keys, while a key that was valid before still passes',
  async (t) => {
    const { testKey } = await guarded().createMerchant();
    const headers = newNetwork();
    const call = async (key: string) => (await guarded().request('/api/v1/payments', { key, headers })).status;
    const statuses: number[] = [await call(testKey)];

    for (let guess = 0; guess < 4; guess++) statuses.push(await call('sk_test_junk'));

    t.deepEqual(statuses, [200, 401, 401, 429, 429]);
    t.is(await call(testKey), 200);
  },
);

const refusedCalls: [what: string, init: RequestInit, status: number][] = [
  ['a body that is no JSON', { body: '{' }, 400],
  ['a sign-in without email and password', { body: '{}' }, 400],
  ['a body that is too large', { body: `"${'a'.repeat(200_000)}"` }, 413],
  ['another media type', { body: 'a=1', headers: { 'content-type': 'text/plain' } }, 415],
  ['a method that is not known', { method: 'PUT', body: '{}' }, 405],
];

test.serial(
  '429 for a network that sent too many refused calls of one kind, while a key that was valid before passes',
  async (t) => {
    const server = guarded();
    for (const [what, init, status] of refusedCalls) {
      const network = newNetwork();
      const { testKey } = await server.createMerchant();
      const withKey = { ...network, authorization: `Bearer ${testKey}` };
      const send = async (headers: Record<string, string>) => {
        const response = await fetch(`${server.url}/api/v1/dashboard/session`, {
          method: 'POST',
          ...init,
          headers: { 'content-type': 'application/json', ...headers, ...init.headers },
        });
        await response.text();
        return response.status;
      };
      const times = async (count: number, headers: Record<string, string>) => {
        const statuses: number[] = [];
        for (let call = 0; call < count; call++) statuses.push(await send(headers));
        return statuses;
      };
      const list = async () => (await server.request('/api/v1/payments', { headers: withKey })).status;
      t.is(await list(), 200);

      t.deepEqual(await times(4, network), [status, status, status, 429], what);

      t.is(await list(), 200);
      // Refused calls with a known key count against the limit of the key, and not against the limit of the network.
      t.deepEqual([...(await times(3, withKey)), await list()], [status, status, status, 429], what);
    }
  },
);

test.serial(
  'refused calls without a credential block neither the sign-ins of their network nor a key that is new to the process',
  async (t) => {
    const { merchant: employer, email, password } = await signIn(guarded());
    const headers = { 'content-type': 'application/json', ...newNetwork() };
    const call = async (path: string, init: { method?: string; key?: string; body?: string } = {}) =>
      (await guarded().request(path, { headers, ...init })).status;
    const postSession = (body: object) =>
      call('/api/v1/dashboard/session', { method: 'POST', body: JSON.stringify(body) });
    const fourTimes = async (status: () => Promise<number>) => [
      await status(),
      await status(),
      await status(),
      await status(),
    ];

    t.deepEqual(await fourTimes(() => call('/api/v1/nowhere')), [404, 404, 404, 429]);

    t.is(await postSession({ email, password }), 200);
    t.deepEqual(await fourTimes(() => postSession({})), [400, 400, 400, 429]);
    t.is(await call('/api/v1/payments', { key: employer.testKey }), 200);
  },
);

test.serial(
  'a refused call that counts against the limit of its merchant or of wrong keys does not also count as a refused call',
  async (t) => {
    const server = await startServer(t, { RATE_LIMITS: 'refused_call:1/100' });
    const { testKey } = await server.createMerchant();
    const ask = async (key: string) => (await server.request('/api/v1/payments?limit=x', { key })).status;

    t.deepEqual([await ask(testKey), await ask(testKey), await ask(testKey)], [400, 400, 400]);
    t.deepEqual([await ask('sk_test_junk'), await ask('sk_test_junk')], [401, 401]);
  },
);

test.serial(
  'the server looks up no credential in the database for an address that sent too many wrong keys or sessions',
  async (t) => {
    const { createMerchant, database, request } = guarded();
    const { testKey } = await createMerchant();
    const network = newNetwork();
    const call = async (headers: Record<string, string>) =>
      (await request('/api/v1/payments', { headers: { 'x-service-mode': 'test', ...network, ...headers } })).status;
    const withKey = (key: string) => call({ authorization: `Bearer ${key}` });
    t.is(await withKey(testKey), 200);
    t.deepEqual([await withKey(newApiKey('test')), await withKey(newApiKey('test'))], [401, 401]);
    await database.query('alter table api_key rename to gone; alter table dashboard_session rename to gone_too');

    t.is(await withKey(newApiKey('test')), 429);
    t.is(await call({ cookie: 'tillhook_session=guess' }), 429);
    t.is(await withKey(testKey), 500, 'a key that was valid before is still looked up');
    await database.query('alter table gone rename to api_key; alter table gone_too rename to dashboard_session');
  },
);

test.serial(
  'a revoked key is refused and counted as a wrong key, even in a process where it was valid before',
  async (t) => {
    const { id, testKey } = await guarded().createMerchant();
    const headers = newNetwork();
    const call = async () => (await guarded().request('/api/v1/payments', { key: testKey, headers })).status;
    t.is(await call(), 200);
    await guarded().database.query('update api_key set revoked_at = now() where merchant_id = $1', [id]);

    t.deepEqual([await call(), await call(), await call()], [401, 401, 429]);
  },
);

test.serial('calls pass while the server cannot count them against the rate limits', async (t) => {
  const { testKey } = await limited().createMerchant();
  await limited().database.query('alter table rate_limit rename to gone');

  for (let call = 0; call < 3; call++) {
    t.is((await limited().request('/api/v1/payments', { key: testKey })).status, 200);
  }
  await limited().database.query('alter table gone rename to rate_limit');
});

test.serial('cards for one checkout, test events to one endpoint and sign-ins have rate limits', async (t) => {
  const server = await startServer(t, { RATE_LIMITS: 'checkout:2/100,test_event:2/100,sign_in:2/100' });
  const { client } = await server.createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/hooks' });
  const signIn = () =>
    server.request('/api/v1/dashboard/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'wrong' }),
    });

  const { checkoutUrl, accessCode } = data;
  // An id in upper case is the same id.
  const shouted = checkoutUrl.replace(accessCode, accessCode.toUpperCase());
  const submits: number[] = [];
  const tests: number[] = [];
  const signIns: number[] = [];
  for (let call = 0; call < 3; call++) {
    submits.push((await payByForm(call % 2 === 0 ? checkoutUrl : shouted, '4000000000000002')).status);
    tests.push(
      await client.webhookEndpoints.sendTest(call % 2 === 0 ? id : id.toUpperCase()).then(
        () => 200,
        ({ status }) => status,
      ),
    );
    signIns.push((await signIn()).status);
  }

  t.deepEqual(submits.at(-1), 429);
  t.deepEqual(tests, [200, 200, 429]);
  t.deepEqual(signIns, [401, 401, 429]);
});
