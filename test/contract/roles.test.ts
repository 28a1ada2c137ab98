/** On every operation that takes a session, users have access exactly as `x-allowed-roles` of the contract says. */
import { readContract } from '@tillhook/openapi';
import { type Role, roles } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { callOperation, credentialHeaders, schemesOf } from '../support/calls/call-example.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { refusalIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const operations = readContract().model.operations;
const taking = operations.filter((operation) => schemesOf(operation).includes('dashboardSession'));
const allowed = (id: string): readonly Role[] => taking.find((one) => one.id === id)?.roles ?? [];

for (const role of roles) {
  test(`a user with the role ${role} has access where the contract names the role, and nowhere else`, async (t) => {
    const merchant = await server().createMerchant();

    for (const operation of taking) {
      // Each call gets a new session, because one of the operations ends it.
      const { cookie } = await signIn(server(), merchant, role);
      const response = await callOperation(server(), operation, { headers: { cookie, 'x-service-mode': 'test' } });

      const [status, code] = await refusalIn(response);
      const isRefused = status === 403 && code === 'role_not_allowed';
      t.is(isRefused, !allowed(operation.id).includes(role), `${operation.id}: ${status} ${code}`);
    }
    t.true(taking.length > 35);
  });
}

test('a viewer reads everything that a key may read, and changes nothing', (t) => {
  const open = taking.filter(({ id }) => allowed(id).includes('viewer'));
  // Operations by which users change how they themselves sign in.
  const own = /^\/api\/v1\/dashboard\/(session|sessions\/\{id\}|password|two-step.*)$/;
  const ofOthers = open.filter(({ method, path }) => method !== 'get' && !own.test(path)).map(({ id }) => id);
  t.deepEqual(ofOthers, []);
  const reading = taking.filter((one) => one.method === 'get' && !one.path.includes('/operator/'));
  t.deepEqual(
    reading.filter((one) => !open.includes(one)),
    [],
  );
});

test('no operation that takes keys and sessions refuses an API key for its role, because keys have scopes instead', async (t) => {
  const merchant = await server().createMerchant();
  const both = taking.filter((operation) => schemesOf(operation).length > 1);

  for (const operation of both) {
    const [scheme] = schemesOf(operation);
    const headers = credentialHeaders(scheme ?? 'bearerAuth', merchant.testKey);
    const [, code] = await refusalIn(await callOperation(server(), operation, { headers }));

    t.not(code, 'role_not_allowed', operation.id);
  }
  t.true(both.length > 25);
});

test('an operator sees the merchant that X-Service-Merchant names, and without the header their own', async (t) => {
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

test('an operator can change nothing of any merchant, including their own', async (t) => {
  const merchant = await server().createMerchant();
  const { call } = await signIn(server(), merchant, 'operator');
  const renaming = { method: 'PATCH', json: { name: 'Mine' } };

  const own = await call('/api/v1/dashboard/settings', renaming);
  const named = await call('/api/v1/dashboard/settings', {
    ...renaming,
    headers: { 'x-service-merchant': merchant.id },
  });

  t.deepEqual(await refusalIn(own), [403, 'role_not_allowed']);
  t.deepEqual(await refusalIn(named), [403, 'role_not_allowed']);
});

for (const role of ['merchant', 'viewer'] as const) {
  test(`403 for X-Service-Merchant from a ${role}, even if it names their own merchant`, async (t) => {
    const [merchant, other] = [await server().createMerchant(), await server().createMerchant()];
    const { call } = await signIn(server(), merchant, role);

    for (const id of [merchant.id, other.id, 'junk', '']) {
      const response = await call('/api/v1/payments', { headers: { 'x-service-merchant': id } });

      t.deepEqual(await refusalIn(response), [403, 'role_not_allowed'], id);
    }
  });
}

test('403 when X-Service-Merchant names no existing merchant or is not an id', async (t) => {
  const { call } = await signIn(server(), undefined, 'operator');

  for (const id of ['019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60', 'junk', '']) {
    const response = await call('/api/v1/payments', { headers: { 'x-service-merchant': id } });

    t.deepEqual(await refusalIn(response), [403, 'unknown_merchant'], id);
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
