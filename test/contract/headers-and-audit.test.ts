import { once } from 'node:events';
import { auditWords } from '@tillhook/dashboard/src/settings/audit-words.ts';
import { type ModelOperation, type OperationId, readContract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/generate/served-document';
import type { RateLimits } from '@tillhook/server/src/operation/rate-limits.ts';
import { commandActions } from '@tillhook/server/src/people/audit/audit.service.ts';
import { createApp } from '@tillhook/server/src/start/app.ts';
import test from 'ava';
import { successfulCalls } from '../mock/successful-calls.ts';
import { pathOf, roleOf, schemesOf } from '../support/calls/call-example.ts';
import { changedContract } from '../support/calls/changed-contract.ts';
import { serverForFile, serverWithContext, usualSettings } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

const allowed = 'https://shop.example.com';
const servers = {
  two: serverForFile({ CORS_ORIGINS: `${allowed}, http://localhost:5173` }),
  all: serverForFile({ CORS_ORIGINS: '*' }),
  none: serverForFile(),
};

const preflightHeaders = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};
const payments = '/api/v1/payments';

interface Case {
  server: keyof typeof servers;
  origin: string;
  /** The value of `Access-Control-Allow-Origin`. */
  allows: string | null;
  preflight: number;
}

const cases: Case[] = [
  { server: 'two', origin: allowed, allows: allowed, preflight: 204 },
  { server: 'two', origin: 'http://localhost:5173', allows: 'http://localhost:5173', preflight: 204 },
  { server: 'two', origin: 'https://evil.example.com', allows: null, preflight: 204 },
  { server: 'two', origin: `${allowed}.evil.example`, allows: null, preflight: 204 },
  { server: 'two', origin: 'null', allows: null, preflight: 204 },
  { server: 'all', origin: 'https://evil.example.com', allows: '*', preflight: 204 },
  { server: 'none', origin: allowed, allows: null, preflight: 405 },
];

for (const { server, origin, allows, preflight } of cases) {
  test(`${origin} ${allows ? 'may' : 'may not'} call a server that allows ${server} origins`, async (t) => {
    const { testKey } = await servers[server]().createMerchant();
    const ask = (path: string, init: { method?: string; headers: Record<string, string> }) =>
      servers[server]().request(path, init);

    const answers = [
      await ask(payments, { headers: { origin, authorization: `Bearer ${testKey}` } }),
      await ask(payments, { headers: { origin } }),
      await ask('/api/v1/nowhere', { headers: { origin } }),
      await ask(payments, { method: 'OPTIONS', headers: { origin, ...preflightHeaders } }),
    ];

    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 401, 404, preflight],
    );
    for (const { headers } of answers) {
      t.is(headers.get('access-control-allow-origin'), allows);
      t.is(headers.get('access-control-allow-credentials'), null);
      if (server === 'two') t.regex(headers.get('vary') ?? '', /\bOrigin\b/);
    }
    const [success, , , permission] = answers;
    t.is(
      permission?.headers.get('access-control-allow-headers') ?? null,
      server === 'none' ? null : 'authorization,content-type',
    );
    if (server === 'none') return;
    t.deepEqual(permission?.headers.get('access-control-allow-methods')?.split(',').sort(), [
      'DELETE',
      'GET',
      'HEAD',
      'PATCH',
      'POST',
    ]);
    t.true(success?.headers.get('access-control-expose-headers')?.split(',').includes('X-Request-Id'));
  });
}

test('405 for OPTIONS that is not a CORS preflight, and no path outside the API has CORS headers', async (t) => {
  const headers = { origin: allowed };

  t.is((await servers.two().request(payments, { method: 'OPTIONS', headers })).status, 405);
  for (const path of ['/docs', '/dashboard', '/healthz']) {
    const answer = await servers.two().request(path, { headers });
    t.is(answer.headers.get('access-control-allow-origin'), null, path);
  }
});

// Nothing is deprecated today, so the tests use a changed copy of the contract.

const server = serverWithContext(usualSettings);

const account = ['paths', '/api/v1/me', 'get'] as const;
const limit = ['components', 'parameters', 'Limit'] as const;
const { document, model } = changedContract(
  [[...account, 'deprecated'], true],
  [[...account, 'x-deprecated-since'], '2026-12-01'],
  [[...account, 'x-sunset'], '2028-02-29'],
  [[...limit, 'deprecated'], true],
  [[...limit, 'x-deprecated-since'], '2026-11-23'],
  [[...limit, 'x-sunset'], '2027-12-31'],
);

const limits: RateLimits = {
  count: async () => null,
  giveBack: async () => null,
  refuseUsedUp: () => {},
  stop: async () => {},
};

/** The headers that RFC 9745 and RFC 8594 define. */
const ofAccount = ['@1796083200', 'Tue, 29 Feb 2028 00:00:00 GMT'];
const ofLimit = ['@1795392000', 'Fri, 31 Dec 2027 00:00:00 GMT'];
const none = [null, null];

test('answers announce a deprecated operation, and a deprecated parameter only to callers who send it', async (t) => {
  const { context, createMerchant } = server();
  const { testKey } = await createMerchant();
  const contract = { ...readContract(), model };
  const readiness = async () => ({});
  const listening = createApp({ context, contract, readiness, limits }).listen(0, '127.0.0.1');
  t.teardown(() => listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  const announced = async (path: string, key = testKey) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return [status, headers.get('deprecation'), headers.get('sunset')];
  };

  t.deepEqual(await announced('/api/v1/me'), [200, ...ofAccount]);
  t.deepEqual(await announced('/api/v1/me', 'sk_test_junk'), [401, ...ofAccount]);
  t.deepEqual(await announced('/api/v1/payments?limit=5'), [200, ...ofLimit]);
  t.deepEqual(await announced('/api/v1/payments?limit=0'), [400, ...ofLimit]);
  t.deepEqual(await announced('/api/v1/payments'), [200, ...none]);
  t.deepEqual(await announced('/api/v1/nowhere'), [404, ...none]);
});

test('in the contract and the served document, only answers that may announce a deprecation declare the headers Deprecation and Sunset', (t) => {
  const announce = model.operations.filter(
    ({ id, parameters }) => id === 'getAccount' || parameters.some(({ name }) => name === 'limit'),
  );
  t.true(announce.length > 5);
  const declared = ({ operations }: typeof model) =>
    operations.flatMap(({ id, answers }) =>
      [...answers].map(([status, { headers }]) => [id, status, headers.has('Deprecation'), headers.has('Sunset')]),
    );
  const expected = (isExpected: (operation: ModelOperation) => boolean) =>
    model.operations.flatMap((operation) =>
      [...operation.answers.keys()].map((status) => [operation.id, status, ...Array(2).fill(isExpected(operation))]),
    );

  t.deepEqual(
    declared(model),
    expected((operation) => announce.includes(operation)),
  );
  t.deepEqual(
    declared(readContract().model),
    expected(() => false),
  );
  const served = servedTexts({ ...readContract(), document }, 'https://pay.example.com')
    .json()
    .split('"Sunset":');
  const announcing = announce.filter(({ isInternal }) => !isInternal).flatMap(({ answers }) => [...answers.keys()]);
  t.is(served.length - 1, announcing.length);
});

test('a deprecated operation must stay in the contract for a year', (t) => {
  const change = (sunset: string) => () =>
    changedContract(
      [[...account, 'deprecated'], true],
      [[...account, 'x-deprecated-since'], '2026-12-01'],
      [[...account, 'x-sunset'], sunset],
    );

  t.throws(change('2027-11-30'), { message: /x-sunset must be at least a year after/ });
  t.throws(change('next year'), { message: /x-sunset has a value/ });
  t.notThrows(change('2027-12-01'));
});

const shared = serverForFile();
/** These operations take no session, but open one. */
const signingIn: readonly string[] = ['signIn', 'signInWithPasskey', 'acceptInvitation'];
const changing = readContract().model.operations.filter((operation) => {
  return (
    [...signingIn, 'resetPassword'].includes(operation.id) ||
    (operation.method !== 'get' && schemesOf(operation).includes('dashboardSession'))
  );
});

const otherNames: Partial<Record<OperationId, string>> = {
  resolveReview: 'completeReviewedPayment',
};

/** These operations have no effect before another operation, such as `confirmTwoStep`, which writes an audit entry. */
const withoutEntry: readonly string[] = ['beginTwoStep', 'beginPasskey', 'beginPasskeyProof'];

for (const operation of changing) {
  const id = operation.id as OperationId;
  const expected = withoutEntry.includes(id) ? [] : [otherNames[id] ?? id];
  test(`${id} writes ${expected.length === 0 ? 'no audit entry' : 'one audit entry, and the dashboard has a text for it'}`, async (t) => {
    const signedIn = await signIn(shared(), undefined, roleOf(operation));
    const { path, body, mode } = await successfulCalls[id](signedIn);
    const before = await actionsOf(signedIn);
    const json = body && { json: body };

    const response = signingIn.includes(id)
      ? await shared().request(pathOf(operation, path), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      : await signedIn.call(pathOf(operation, path), {
          method: operation.method.toUpperCase(),
          ...(mode && { mode }),
          ...json,
        });

    t.true(response.ok, await response.text());
    const written = (await actionsOf(signedIn)).slice(before.length);
    t.deepEqual(written, expected);
    for (const action of written) t.true(action in auditWords, `the dashboard has no words for ${action}`);
  });
}

test('the dashboard has a text for each action that an operation, a command or a page writes to the audit log, and no text for any other action', (t) => {
  const ofOperations = changing.map(({ id }) => otherNames[id as OperationId] ?? id);
  const written = new Set(
    [...ofOperations, ...commandActions, 'signInWithCompany'].filter((action) => !withoutEntry.includes(action)),
  );

  t.deepEqual(Object.keys(auditWords).sort(), [...written].sort());
  t.true(changing.length > 35);
});

async function actionsOf({ merchant }: SignedIn): Promise<string[]> {
  const rows = await shared().database.query<{ action: string }>(
    'select action from audit_entry where merchant_id = $1 order by id',
    [merchant.id],
  );
  return rows.map(({ action }) => action);
}
