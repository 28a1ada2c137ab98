import { generateSecret } from '@tillhook/sdk';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, startServer, type TestServer } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

function reveal({ call, password }: SignedIn, id: string, json: unknown = { password }) {
  return call(`/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`, { method: 'POST', json });
}

/** Signs a user in, and creates an endpoint of the merchant in test mode. */
async function withEndpoint(own: TestServer = server()) {
  const ada = await signIn(own);
  const { id, secret } = await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  return { ada, id, secret, client: ada.merchant.client };
}

test('200 returns the full secret', async (t) => {
  const { ada, id, secret } = await withEndpoint();

  const response = await reveal(ada, id);

  t.is(response.status, 200);
  t.deepEqual(await response.json(), { id, secret, nextSecret: null });
});

test('200 returns the staged secret too during a rotation', async (t) => {
  const { ada, id, secret, client } = await withEndpoint();
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  t.deepEqual(await (await reveal(ada, id)).json(), { id, secret, nextSecret: next });
});

test('200 returns the current secret, even if the row does not have a due rotation yet', async (t) => {
  const { ada, id, client } = await withEndpoint();
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  await server().database.query(
    `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', '"2026-01-01T00:00:00.000Z"')
     where id = $1`,
    [id],
  );

  t.deepEqual(await (await reveal(ada, id)).json(), { id, secret: next, nextSecret: null });
});

test('200 writes an audit entry with the user, without the secret', async (t) => {
  const { ada, id, secret = '' } = await withEndpoint();

  await reveal(ada, id);

  const [entry] = await auditOf(ada);
  t.like(entry, {
    action: 'revealWebhookSecret',
    actor: { type: 'user', email: ada.email },
    mode: 'test',
    subject: id,
  });
  const rows = await server().database.query('select * from audit_entry');
  t.false(JSON.stringify(rows).includes(secret.slice('whsec_'.length)));
});

const refused: [situation: string, json: object, code: string, param: string][] = [
  ['the password is missing', {}, 'missing_parameter', 'password'],
  ['the password is empty', { password: '' }, 'invalid_parameter', 'password'],
  ['a field is unknown', { password: 'a', mode: 'live' }, 'unknown_parameter', 'mode'],
];

for (const [situation, json, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { ada, id } = await withEndpoint();

    const response = await reveal(ada, id, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
  });
}

test('400 when the id is not a UUID', async (t) => {
  const ada = await signIn(server());

  const response = await reveal(ada, 'nowhere');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('401 when the password is wrong: no secret is shown and no audit entry written', async (t) => {
  const { ada, id } = await withEndpoint();
  const before = await auditOf(ada);

  const response = await reveal(ada, id, { password: 'wrong' });

  t.deepEqual(await refusalIn(response), [401, 'invalid_credentials']);
  t.deepEqual(await auditOf(ada), before);
  t.is((await ada.call('/api/v1/dashboard/session')).status, 200, 'a wrong password does not end the session');
});

test('401 for an API key, even one with all scopes', async (t) => {
  const { ada, id } = await withEndpoint();

  const response = await server().request(`/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`, {
    method: 'POST',
    key: ada.merchant.testKey,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: ada.password }),
  });

  t.deepEqual(await refusalIn(response), [401, 'wrong_auth_header']);
});

test('404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const { ada, id, client } = await withEndpoint();
  const { id: live } = await ada.merchant.liveClient.webhookEndpoints.register({ url: unreachableUrl });
  const { id: foreign } = await withEndpoint();
  await client.webhookEndpoints.remove(id);
  const before = await auditOf(ada);

  for (const nothing of [id, live, foreign]) {
    t.deepEqual(await refusalIn(await reveal(ada, nothing)), [404, 'resource_not_found']);
  }
  t.deepEqual(await auditOf(ada), before);
});

test('429 after too many wrong passwords, and right ones do not count', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'password:2/100' });
  const { ada, id } = await withEndpoint(limited);
  const statuses: number[] = [];

  for (const password of ['wrong', ada.password, ada.password, 'worse', ada.password]) {
    statuses.push((await reveal(ada, id, { password })).status);
  }

  t.deepEqual(statuses, [401, 200, 200, 401, 429]);
});
