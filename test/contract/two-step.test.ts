import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import {
  createKey,
  errorIn,
  postSession,
  type SignedIn,
  signIn,
  signInWithTwoStep,
  type TwoStepUser,
} from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';
import { password } from '../support/users/users.ts';

const server = serverForFile();

const signInWithCode = ({ email }: SignedIn, code?: string) =>
  postSession(server(), { email, password, ...(code !== undefined && { code }) });

const asking: Record<string, (ada: TwoStepUser, json: object) => Promise<Awaited<ReturnType<typeof signInWithCode>>>> =
  {
    signIn: ({ email }, json) => postSession(server(), { email, password, ...json }),
    revealWebhookSecret: async ({ call, merchant }, json) => {
      const { webhooks } = await merchant.client.webhookEndpoints.list();
      const { id } = webhooks[0] ?? (await merchant.client.webhookEndpoints.register({ url: unreachableUrl }));
      const path = `/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`;
      return call(path, { method: 'POST', json: { password, ...json } });
    },
    createApiKey: ({ call }, json) =>
      call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', ...json } }),
    rollApiKey: async ({ call }, json) => {
      const { apiKeys } = await (await call('/api/v1/dashboard/api-keys')).json();
      return call(`/api/v1/dashboard/api-keys/${apiKeys.at(-1).id}/roll`, { method: 'POST', json });
    },
    changePassword: ({ call }, json) =>
      call('/api/v1/dashboard/password', { method: 'POST', json: { password, newPassword: password, ...json } }),
    beginTwoStep: ({ call }, json) =>
      call('/api/v1/dashboard/two-step', { method: 'POST', json: { password, ...json } }),
  };

for (const [operation, ask] of Object.entries(asking)) {
  test(`${operation} with two-step sign-in: 401 without a code and for a wrong code, and a right code works once`, async (t) => {
    const ada = await signInWithTwoStep(server());

    t.deepEqual(await errorIn(await ask(ada, {})), [401, 'two_step_required']);
    t.deepEqual(await errorIn(await ask(ada, { code: 'aaaa-aaaa-aaaa-aaaa' })), [401, 'invalid_code']);
    // The code is of the next time step, because on a busy machine the current code may expire during the password
    // check.
    const code = codeOf(ada.secret, { ahead: 1 });
    t.like(await (await ask(ada, { code })).json(), { error: undefined });
    t.deepEqual(await errorIn(await ask(ada, { code })), [401, 'invalid_code']);
  });

  test(`${operation} ignores a code when two-step sign-in is off`, async (t) => {
    const ada = { ...(await signIn(server())), secret: '', recoveryCodes: [] };

    t.true((await ask(ada, { code: '123456' })).ok);
  });
}

test('of ten concurrent calls with the same authenticator code, exactly one succeeds', async (t) => {
  const ada = await signInWithTwoStep(server());
  const code = codeOf(ada.secret);

  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await signInWithCode(ada, code)).status));

  t.deepEqual(statuses.sort(), [200, ...Array(9).fill(401)]);
});

test('of ten concurrent calls with the same recovery code, exactly one succeeds', async (t) => {
  const ada = await signInWithTwoStep(server());
  const [code] = ada.recoveryCodes;

  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await signInWithCode(ada, code)).status));

  t.deepEqual(statuses.sort(), [200, ...Array(9).fill(401)]);
});

test('an authenticator code that has not expired is refused if a later code was accepted', async (t) => {
  const ada = await signInWithTwoStep(server());
  const [present, next] = [codeOf(ada.secret), codeOf(ada.secret, { ahead: 1 })];

  t.is((await signInWithCode(ada, next)).status, 200);
  t.deepEqual(await errorIn(await signInWithCode(ada, present)), [401, 'invalid_code']);
});

test('each of the ten recovery codes works once, even if it is typed with other capitals, spaces or hyphens', async (t) => {
  const ada = await signInWithTwoStep(server());
  const typed = (code: string, index: number) => [code, code.toUpperCase(), code.replaceAll('-', ' ')][index % 3];

  t.is(new Set(ada.recoveryCodes).size, 10);
  for (const [index, code] of ada.recoveryCodes.entries())
    t.is((await signInWithCode(ada, typed(code, index))).status, 200);
  for (const code of ada.recoveryCodes)
    t.deepEqual(await errorIn(await signInWithCode(ada, code)), [401, 'invalid_code']);
});

test('a recovery code of one user does not work for another user', async (t) => {
  const [ada, grace] = [await signInWithTwoStep(server()), await signInWithTwoStep(server())];

  t.deepEqual(await errorIn(await signInWithCode(grace, ada.recoveryCodes[0])), [401, 'invalid_code']);
  t.is((await signInWithCode(ada, ada.recoveryCodes[0])).status, 200);
});

test('an authenticator code still works after its call has failed', async (t) => {
  const ada = await signInWithTwoStep(server());
  const code = codeOf(ada.secret, { ahead: 1 });
  const path = '/api/v1/dashboard/api-keys/019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60/roll';

  t.is((await ada.call(path, { method: 'POST', json: { code } })).status, 404);
  t.is((await signInWithCode(ada, code)).status, 200);
});

test('a caller who knows only the email cannot find out whether two-step sign-in is on', async (t) => {
  const [ada, plain] = [await signInWithTwoStep(server()), await signIn(server())];

  for (const { email } of [ada, plain]) {
    const response = await postSession(server(), { email, password: 'wrong', code: '123456' });

    t.deepEqual(await errorIn(response), [401, 'invalid_credentials']);
  }
});

test('wrong codes count as wrong passwords, at the sign-in and within a session', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'password:2/100' });
  const ada = await signInWithTwoStep(limited);
  const key = (code: string) => ada.call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', code } });
  const begin = (code: string) => postSession(limited, { email: ada.email, password, code });

  const inSession = [await key('000000x'), await key(codeOf(ada.secret)), await key('000001x'), await key('000002x')];
  const atSignIn = [await begin('000000x'), await begin('000001x'), await begin(codeOf(ada.secret, { ahead: 1 }))];

  t.deepEqual(
    inSession.map(({ status }) => status),
    [401, 201, 401, 429],
  );
  t.deepEqual(
    atSignIn.map(({ status }) => status),
    [401, 401, 429],
  );
});

test('wrong codes after the right password are counted for each user, across all networks', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'code:2/100', TRUST_PROXY: '1' });
  const [ada, grace] = [await signInWithTwoStep(limited), await signInWithTwoStep(limited)];
  let networks = 0;
  const from = async ({ email }: SignedIn, typed: object) => {
    networks += 1;
    const headers = { 'x-forwarded-for': `198.51.100.${networks}` };
    const response = await postSession(limited, { email, password, ...typed }, headers);
    return response.ok ? 200 : (await errorIn(response)).join(' ');
  };

  for (let call = 0; call < 3; call++)
    t.is(await from(ada, { password: 'a', code: '000000' }), '401 invalid_credentials');
  t.is(await from(ada, { code: codeOf(ada.secret) }), 200, 'guesses without the password do not count');
  const guesses = await Promise.all(['000000', '000 001', '000002', '000003'].map((code) => from(ada, { code })));
  t.deepEqual(guesses.sort(), [...Array(2).fill('401 invalid_code'), ...Array(2).fill('429 rate_limited')]);

  const right = codeOf(ada.secret, { ahead: 1 });
  t.is(await from(ada, { code: right }), '429 rate_limited');
  const key = { method: 'POST', json: { name: 'a', code: right } };
  t.is(
    (await ada.call('/api/v1/dashboard/api-keys', key)).status,
    429,
    'wrong codes within a session are limited as well',
  );
  t.is(await from(ada, {}), '401 two_step_required');
  t.is(await from(grace, { code: codeOf(grace.secret) }), 200, 'another user');
  t.is(
    await from(ada, { code: ada.recoveryCodes[0] }),
    200,
    'recovery codes are not limited, because they cannot be guessed',
  );
});

test('if the merchant requires two-step sign-in, a user without it may only change how they sign in', async (t) => {
  const [ada, grace] = [await signIn(server()), await signIn(server())];
  const requires = 'update merchant set requires_two_step = true where id = $1';
  await server().database.query(requires, [ada.merchant.id]);
  const session = async () => (await (await ada.call('/api/v1/dashboard/session')).json()).user.twoStep;

  for (const path of ['/api/v1/payments', '/api/v1/dashboard/settings', '/api/v1/dashboard/api-keys']) {
    t.deepEqual(await errorIn(await ada.call(path)), [403, 'two_step_setup_required'], path);
    t.is((await grace.call(path)).status, 200, 'another merchant does not require it');
  }
  t.deepEqual(await session(), { isOn: false, isRequired: true });
  t.is((await ada.call('/api/v1/dashboard/sessions')).status, 200);

  const begun = await ada.call('/api/v1/dashboard/two-step', { method: 'POST', json: { password } });
  const json = { code: codeOf((await begun.json()).secret) };
  t.is((await ada.call('/api/v1/dashboard/two-step/confirm', { method: 'POST', json })).status, 200);

  t.deepEqual(await session(), { isOn: true, isRequired: true });
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.is(
    (await server().request('/api/v1/payments', { key: ada.merchant.testKey })).status,
    200,
    'keys need no two-step sign-in',
  );
});

test('a call with an API key needs no authenticator code', async (t) => {
  const ada = await signIn(server());
  const { key } = await createKey(ada);
  await server().arrange('turnTwoStepOn', { email: ada.email });

  t.is((await server().request('/api/v1/merchant-webhooks', { key })).status, 200);
});
