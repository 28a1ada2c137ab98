import { namedSchema, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders } from '../support/calls/call-example.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createKey, keysOf, refusalIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/api-keys';

const listPayments = (key: string) => server().request('/api/v1/payments', { key });

test('201 returns the full key, which no later answer contains', async (t) => {
  const ada = await signIn(server());

  const response = await ada.call(path, { method: 'POST', json: { name: 'Web shop' } });

  t.is(response.status, 201);
  const { key, ...shown } = await response.json();
  t.like(shown, {
    name: 'Web shop',
    mode: 'test',
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    scopes: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    rolledFrom: null,
  });
  t.deepEqual((await keysOf(ada)).apiKeys[0], shown);
});

test('201 stores only the hash and the shown parts of the key', async (t) => {
  const { id, key } = await createKey(await signIn(server()));

  const [row] = await server().database.query('select api_key::text from api_key where id = $1', [id]);

  t.truthy(row);
  t.false(JSON.stringify(row).includes(key.slice('sk_test_'.length + 4, -4)));
});

test('201 creates a key that works at once, for the merchant and the mode of the session', async (t) => {
  const ada = await signIn(server());

  for (const mode of ['test', 'live'] as const) {
    const { key } = await createKey(ada, { mode });

    t.regex(key, new RegExp(`^sk_${mode}_`));
    const account = await (await server().request('/api/v1/me', { key })).json();
    t.is(account.mode, mode);
    t.is(account.merchant.id, ada.merchant.id);
  }
});

test('201 creates a key that has every scope by its name, and shows it everywhere', async (t) => {
  const ada = await signIn(server());
  const scopes = Object.keys(namedSchema(readContract().model, 'Scope')['x-extensible-enum'] ?? {});
  t.true(scopes.length >= 9);

  const { id, key, ...created } = await createKey(ada, { scopes: scopes as never });

  t.deepEqual(created.scopes, scopes);
  t.deepEqual((await (await server().request('/api/v1/me', { key })).json()).key.scopes, scopes);
  t.deepEqual((await keysOf(ada)).apiKeys[0]?.scopes, scopes);
  t.is((await ada.call(`${path}/${id}`, { method: 'DELETE' })).status, 200);
});

test('201 creates a key that may do what its scopes allow, and no more', async (t) => {
  const { key, scopes } = await createKey(await signIn(server()), { name: 'Bookkeeping', scopes: ['payments:read'] });

  const registering = await server().request('/api/v1/merchant-webhooks', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: unreachableUrl }),
  });

  t.deepEqual(scopes, ['payments:read']);
  t.is((await listPayments(key)).status, 200);
  t.deepEqual(await refusalIn(registering), [403, 'insufficient_scope']);
});

test('201 without a name and without scopes', async (t) => {
  const { call } = await signIn(server());

  for (const json of [{}, { scopes: null }]) {
    const response = await call(path, { method: 'POST', json });

    t.is(response.status, 201);
    t.like(await response.json(), { name: null, scopes: null });
  }
});

test('201 keeps a scope once that comes twice', async (t) => {
  const created = await createKey(await signIn(server()), { scopes: ['payments:read', 'payments:read'] });

  t.deepEqual(created.scopes, ['payments:read']);
});

const refused: [situation: string, json: unknown, code: string, param: string | null][] = [
  ['the name is empty', { name: '' }, 'invalid_parameter', 'name'],
  ['the name is too long', { name: 'a'.repeat(121) }, 'invalid_parameter', 'name'],
  ['the name holds what Postgres refuses', { name: 'a\u0000' }, 'invalid_parameter', 'name'],
  ['the scopes are empty', { scopes: [] }, 'invalid_parameter', 'scopes'],
  ['a scope is unknown', { scopes: ['keys:write'] }, 'invalid_parameter', 'scopes'],
  ['the mode is in the body', { mode: 'live' }, 'unknown_parameter', 'mode'],
  ['the body is no object', [], 'invalid_parameter', null],
];

for (const [situation, json, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const ada = await sharedUser();

    const response = await ada.call(path, { method: 'POST', json });

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
    t.is((await keysOf(ada)).total, 1);
  });
}

test('409 when the merchant has a hundred usable keys, until one is revoked', async (t) => {
  const ada = await signIn(server());
  await server().database.query(
    `insert into api_key (id, merchant_id, mode, hash, prefix, last4, created_at)
     select gen_random_uuid(), $1, 'test', sha256(gen_random_uuid()::text::bytea), 'sk_test_aaaa', 'aaaa', now()
     from generate_series(1, 98) as n`,
    [ada.merchant.id],
  );
  const { id } = await createKey(ada);

  for (const address of [path, `${path}/${id}/roll`]) {
    const response = await ada.call(address, { method: 'POST', json: {} });
    t.deepEqual(await refusalIn(response), [409, 'api_key_limit_reached']);
  }
  t.is((await ada.call(path, { method: 'POST', json: {}, mode: 'live' })).status, 201);

  await ada.call(`${path}/${id}`, { method: 'DELETE' });
  t.is((await ada.call(path, { method: 'POST', json: {} })).status, 201);
});

test('401 for an API key, so that a leaked one cannot create keys', async (t) => {
  const ada = await signIn(server());
  const { testKey } = ada.merchant;

  for (const scheme of ['bearerAuth', 'apiKeyHeader'] as const) {
    const headers = credentialHeaders(scheme, testKey);
    const response = await server().request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-mode': 'test', ...headers },
      body: '{}',
    });

    t.deepEqual(await refusalIn(response), [401, 'wrong_auth_header']);
  }
  t.is((await keysOf(ada)).total, 1);
});

test('403 for a page of another site, and no key is created', async (t) => {
  const ada = await signIn(server());

  const headers = { 'sec-fetch-site': 'cross-site' };
  const response = await ada.call(path, { method: 'POST', json: {}, headers });

  t.deepEqual(await refusalIn(response), [403, 'cross_site_request']);
  t.is((await keysOf(ada)).total, 1);
});
