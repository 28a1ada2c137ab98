import { readContract } from '@tillhook/openapi';
import { type Role, roles } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { callOperation, credentialHeaders, schemesOf } from '../support/calls/call-example.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, errorIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const operations = readContract().model.operations;
const taking = operations.filter((operation) => schemesOf(operation).includes('dashboardSession'));
const challenge = 'Cookie realm="tillhook", cookie-name="tillhook_session"';

const notFromOurPages: [situation: string, headers: Record<string, string>][] = [
  ['no mode', {}],
  ['an empty mode', { 'x-service-mode': '' }],
  ['a mode in capitals', { 'x-service-mode': 'LIVE' }],
  ['two modes', { 'x-service-mode': 'test, live' }],
  ['another site', { 'x-service-mode': 'test', 'sec-fetch-site': 'cross-site' }],
];

for (const [situation, headers] of notFromOurPages) {
  test(`403 for a session with ${situation}, on every operation`, async (t) => {
    const { call, cookie } = await signIn(server());

    for (const operation of taking) {
      const response = await callOperation(server(), operation, { headers: { cookie, ...headers } });

      t.deepEqual(await errorIn(response), [403, 'cross_site_request'], operation.id);
    }
    t.is((await call('/api/v1/dashboard/session')).status, 200);
  });
}

test('401 with a challenge for the session cookie if the call carried only a session, or if the operation accepts only a session', async (t) => {
  const { testKey } = await server().createMerchant();
  const junk = credentialHeaders('dashboardSession', 'a'.repeat(43));
  const useless: Record<string, string>[] = [{}, { cookie: 'theme=dark' }, credentialHeaders('bearerAuth', testKey)];

  for (const operation of taking) {
    t.is((await callOperation(server(), operation, { headers: junk })).headers.get('www-authenticate'), challenge);
    if (schemesOf(operation).length > 1) continue;
    for (const headers of useless) {
      const response = await callOperation(server(), operation, { headers });

      t.is(response.headers.get('www-authenticate'), challenge, operation.id);
    }
  }
});

test('every operation that takes a session accepts a valid session, in each mode', async (t) => {
  const { cookie } = await signIn(server(), await fundedMerchant(server()));
  const withoutProcessor: string[] = [];

  for (const mode of ['test', 'live'] as const) {
    for (const operation of taking.filter(({ id }) => id !== 'signOut')) {
      const response = await callOperation(server(), operation, { headers: { cookie, 'x-service-mode': mode } });

      const [status, code = ''] = await errorIn(response);
      if (code === 'processor_not_configured') withoutProcessor.push(`${mode} ${operation.id}`);
      else t.true(status < 500, `${operation.id}: ${status} ${code}`);
      t.false(['invalid_session', 'cross_site_request'].includes(code), `${operation.id}: ${status} ${code}`);
    }
  }
  // This server has no processor for live payments and none for live transfers.
  t.deepEqual(withoutProcessor, ['live createCheckout', 'live createPaymentLink', 'live createTransfer']);
});

test('most operations accept a session, and only operations of the dashboard accept no API key', (t) => {
  const alone = taking.filter((operation) => schemesOf(operation).length === 1).map(({ id }) => id);
  const ofDashboard = operations.filter(({ tag }) => tag === 'Dashboard');

  t.deepEqual(
    alone,
    // A person who signs in or accepts an invitation has no session yet.
    ofDashboard.filter(({ security }) => security.length > 0).map(({ id }) => id),
  );
  t.true(ofDashboard.every(({ path }) => path.startsWith('/api/v1/dashboard/')));
  t.true(taking.length > 35);
});

test('a call with a session reads only records of the mode that its header names', async (t) => {
  const { call, merchant } = await signIn(server());
  await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'of-test' });
  await merchant.client.testHelpers.completePayment('of-test');
  const { id } = await merchant.liveClient.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const total = async (path: string, mode: 'test' | 'live') => (await (await call(path, { mode })).json()).total;

  t.is(await total('/api/v1/payments', 'test'), 1);
  t.is(await total('/api/v1/payments', 'live'), 0);
  t.is(await total('/api/v1/merchant-webhooks', 'live'), 1);
  t.is((await call('/api/v1/payments/of-test', { mode: 'test' })).status, 200);
  t.is((await call('/api/v1/payments/of-test', { mode: 'live' })).status, 404);
  t.is((await call(`/api/v1/merchant-webhooks/${id}`, { mode: 'test' })).status, 404);
});

test('a call with a session reads nothing of another merchant', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await other.merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'of-other' });

  t.is((await (await ada.call('/api/v1/payments')).json()).total, 0);
  t.is((await ada.call('/api/v1/payments/of-other')).status, 404);
});

test('a session may do what an API key may do, and the audit log has an entry for each act', async (t) => {
  const ada = await signIn(server(), await fundedMerchant(server()));
  const json = { reference: 'payout-1', amount: 5, recipient: recipient() };

  const response = await ada.call('/api/v1/transfers', { method: 'POST', json });

  t.is(response.status, 201);
  t.like(await ada.merchant.client.transfers.get('payout-1'), { amount: 5, mode: 'test' });
  const [entry] = await auditOf(ada);
  t.like(entry, { action: 'createTransfer', subject: 'payout-1', actor: { type: 'user', email: ada.email } });
});

test('a session can create a checkout, use the test helpers and write a note, and the audit log has each act', async (t) => {
  const ada = await signIn(server());
  const post = (path: string, json?: object) => ada.call(`/api/v1/${path}`, { method: 'POST', json });
  const order = (reference: string) => ({ email: 'ada@example.com', amount: 700, reference });

  const link = await post('payments/checkout', order('order-paid'));
  const refusedLink = await post('payments/checkout', order('order-paid'));
  await post('payments/checkout', order('order-declined'));
  await post('payments/checkout', order('order-withdrawn'));
  const paid = await post('test-helpers/payments/order-paid/complete');
  const declined = await post('test-helpers/payments/order-declined/fail');
  const withdrawn = await post('payments/order-withdrawn/cancel');
  await ada.call('/api/v1/payments/order-paid', { method: 'PATCH', json: { note: 'Called' } });
  const funded = await post('test-helpers/wallets/fund', { amount: 5 });

  t.deepEqual([link.status, refusedLink.status, funded.status], [201, 409, 200]);
  const outcomes = await Promise.all([paid, declined, withdrawn].map(async (answer) => (await answer.json()).status));
  t.deepEqual(outcomes, ['completed', 'failed', 'expired']);
  t.like(await ada.merchant.client.payments.get('order-paid'), { status: 'completed', amount: 700, mode: 'test' });
  t.deepEqual(
    (await auditOf(ada)).map(({ action, subject }) => [action, subject]),
    [
      ['testFundWallet', null],
      ['updatePayment', 'order-paid'],
      ['cancelCheckout', 'order-withdrawn'],
      ['testFailPayment', 'order-declined'],
      ['testCompletePayment', 'order-paid'],
      ['createCheckout', 'order-withdrawn'],
      ['createCheckout', 'order-declined'],
      ['createCheckout', 'order-paid'],
      ['signIn', null],
    ],
  );
});

test('a session of live mode cannot use the test helpers', async (t) => {
  const { call } = await signIn(server());

  for (const path of ['payments/order-1/complete', 'payments/order-1/fail', 'wallets/fund']) {
    const json = path === 'wallets/fund' ? { amount: 5 } : undefined;
    const response = await call(`/api/v1/test-helpers/${path}`, { method: 'POST', mode: 'live', json });

    t.deepEqual(await errorIn(response), [403, 'test_mode_only'], path);
  }
});

test('a session creates, changes and removes an endpoint', async (t) => {
  const { call, merchant } = await signIn(server());
  const path = '/api/v1/merchant-webhooks';

  const made = await call(path, { method: 'POST', json: { url: 'http://127.0.0.1:9/' }, mode: 'live' });
  const { id, mode, merchantId } = await made.json();
  const paused = await call(`${path}/${id}`, { method: 'PATCH', json: { isActive: false }, mode: 'live' });
  const removed = await call(`${path}/${id}`, { method: 'DELETE', mode: 'live' });

  t.deepEqual([made.status, paused.status, removed.status], [201, 200, 200]);
  t.deepEqual([mode, merchantId], ['live', merchant.id]);
});

test('the server ignores the cookie of a call that carries a key', async (t) => {
  const { cookie } = await signIn(server());
  const other = await server().createMerchant();
  const account = (key: string, headers: Record<string, string>) =>
    server().request('/api/v1/me', { key, headers: { cookie, ...headers } });
  const beside: Record<string, string>[] = [
    { 'x-service-mode': 'live' },
    { 'sec-fetch-site': 'cross-site' },
    { cookie: 'tillhook_session=junk' },
  ];

  for (const headers of beside) {
    const response = await account(other.testKey, headers);

    t.is(response.status, 200);
    t.like(await response.json(), { mode: 'test', merchant: { id: other.id } });
  }
  t.deepEqual(await errorIn(await account('sk_test_junk', { 'x-service-mode': 'test' })), [401, 'invalid_api_key']);
});

const allowed = (id: string): readonly Role[] => taking.find((one) => one.id === id)?.roles ?? [];

for (const role of roles) {
  test(`a user with the role ${role} has access where the contract names the role, and nowhere else`, async (t) => {
    const merchant = await server().createMerchant();

    for (const operation of taking) {
      // Each call gets a new session, because one of the operations ends it.
      const { cookie } = await signIn(server(), merchant, role);
      const response = await callOperation(server(), operation, { headers: { cookie, 'x-service-mode': 'test' } });

      const [status, code] = await errorIn(response);
      const isRefused = status === 403 && code === 'role_not_allowed';
      t.is(isRefused, !allowed(operation.id).includes(role), `${operation.id}: ${status} ${code}`);
    }
    t.true(taking.length > 35);
  });
}

// A changed list of roles in the contract must be changed here as well.
const changesOf: Record<Exclude<Role, 'administrator' | 'operator'>, readonly string[]> = {
  developer: [
    ...['completeWebhookSecretRotation', 'createApiKey', 'registerWebhookEndpoint', 'removeWebhookEndpoint'],
    ...['replayDeliveries', 'resendDelivery', 'revealWebhookSecret', 'revokeApiKey', 'rollApiKey'],
    ...['rotateWebhookSecret', 'sendTestEvent', 'testAdvanceTime', 'testCompletePayment', 'testFailPayment'],
    ...['testFundWallet', 'testReceiveBankTransfer', 'updateWebhookEndpoint'],
  ],
  support: [
    'cancelCheckout',
    'createCheckout',
    'createPaymentLink',
    'createRefund',
    'resendDelivery',
    'updatePayment',
    'updatePaymentLink',
  ],
  viewer: [],
};

for (const [role, changes] of Object.entries(changesOf)) {
  test(`a user with the role ${role} may read what administrators read, and may change only what the role is for, and how the user signs in`, (t) => {
    const open = taking.filter(({ id }) => allowed(id).some((one) => one === role));
    // Operations by which users change how they themselves sign in.
    const own = /^\/api\/v1\/dashboard\/(session|sessions.*|preferences|password|passkey.*|two-step.*)$/;
    const ofOthers = open.filter(({ method, path }) => method !== 'get' && !own.test(path)).map(({ id }) => id);
    t.deepEqual(ofOthers.sort(), changes);
    const reading = taking.filter((one) => one.method === 'get' && !one.path.includes('/operator/'));
    t.deepEqual(
      reading.filter((one) => !open.includes(one)),
      [],
    );
  });
}

test('a user whom an earlier version stored with the role merchant is an administrator', async (t) => {
  const { call, email } = await signIn(server());
  await server().database.query(`update dashboard_user set role = 'merchant' where email = $1`, [email]);

  t.like(await (await call('/api/v1/dashboard/session')).json(), { user: { role: 'administrator' } });
  t.is((await call('/api/v1/dashboard/settings', { method: 'PATCH', json: { name: 'Ada and Sons' } })).status, 200);
});

test('no operation that takes keys and sessions refuses an API key for its role, because keys have scopes instead', async (t) => {
  const merchant = await server().createMerchant();
  const both = taking.filter((operation) => schemesOf(operation).length > 1);

  for (const operation of both) {
    const [scheme] = schemesOf(operation);
    const headers = credentialHeaders(scheme ?? 'bearerAuth', merchant.testKey);
    const [, code] = await errorIn(await callOperation(server(), operation, { headers }));

    t.not(code, 'role_not_allowed', operation.id);
  }
  t.true(both.length > 25);
});

test('an operator sees the merchant in the header X-Service-Merchant; without this header, an operator sees the operator’s own merchant', async (t) => {
  const [employer, other] = [await server().createMerchant('Home'), await server().createMerchant('Elsewhere')];
  await other.client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'of-other' });
  const { call } = await signIn(server(), employer, 'operator');
  const headers = { 'x-service-merchant': other.id };

  const session = await (await call('/api/v1/dashboard/session', { headers })).json();
  t.like(session, { user: { role: 'operator' }, merchant: { id: other.id, name: 'Elsewhere' } });
  t.is((await (await call('/api/v1/payments', { headers })).json()).total, 1);
  t.is((await call('/api/v1/payments/of-other', { headers })).status, 200);
  t.is((await call('/api/v1/payments/of-other')).status, 404);
  t.is((await (await call('/api/v1/dashboard/session')).json()).merchant.id, employer.id);
});

test("an operator cannot change the settings of any merchant, including the operator's own merchant", async (t) => {
  const merchant = await server().createMerchant();
  const { call } = await signIn(server(), merchant, 'operator');
  const renaming = { method: 'PATCH', json: { name: 'Mine' } };

  const own = await call('/api/v1/dashboard/settings', renaming);
  const named = await call('/api/v1/dashboard/settings', {
    ...renaming,
    headers: { 'x-service-merchant': merchant.id },
  });

  t.deepEqual(await errorIn(own), [403, 'role_not_allowed']);
  t.deepEqual(await errorIn(named), [403, 'role_not_allowed']);
});

for (const role of ['administrator', 'viewer'] as const) {
  test(`403 for the header X-Service-Merchant from a user with the role ${role}, even if it names the merchant of the user`, async (t) => {
    const [merchant, other] = [await server().createMerchant(), await server().createMerchant()];
    const { call } = await signIn(server(), merchant, role);

    for (const id of [merchant.id, other.id, 'junk', '']) {
      const response = await call('/api/v1/payments', { headers: { 'x-service-merchant': id } });

      t.deepEqual(await errorIn(response), [403, 'role_not_allowed'], id);
    }
  });
}

test('403 when X-Service-Merchant names no existing merchant or is not an id', async (t) => {
  const { call } = await signIn(server(), undefined, 'operator');

  for (const id of ['019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60', 'junk', '']) {
    const response = await call('/api/v1/payments', { headers: { 'x-service-merchant': id } });

    t.deepEqual(await errorIn(response), [403, 'unknown_merchant'], id);
  }
});

test('an operator sees a suspended merchant, even if the merchant of the operator is suspended too', async (t) => {
  const [employer, other] = [await server().createMerchant(), await server().createMerchant()];
  const { call } = await signIn(server(), employer, 'operator');
  const suspend = 'update merchant set suspended_at = now() where id in ($1, $2)';
  await server().database.query(suspend, [employer.id, other.id]);

  t.is((await call('/api/v1/payments')).status, 200);
  t.is((await call('/api/v1/payments', { headers: { 'x-service-merchant': other.id } })).status, 200);
});
