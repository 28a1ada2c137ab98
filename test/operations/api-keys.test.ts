import { namedSchema, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders } from '../support/calls/call-example.ts';
import { eventually } from '../support/eventually.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type RefusedQuery, testRefusedQueries } from '../support/users/refused-queries.ts';
import { createKey, errorIn, keysOf, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/api-keys';

const listPayments = (key: string) => server().request('/api/v1/payments', { key });

test('createApiKey 201 returns the full key, which no later answer contains', async (t) => {
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

test('createApiKey 403 and rollApiKey 403 refuse a developer a live key that moves money, and the developer may have others', async (t) => {
  const merchant = await server().createMerchant();
  const [administrator, developer] = [await signIn(server(), merchant), await signIn(server(), merchant, 'developer')];
  const create = (mode: 'test' | 'live', scopes: string[] | null) =>
    developer.call(path, { method: 'POST', mode, json: { scopes } });

  for (const scopes of [
    null,
    ['payments:read', 'payments:write'],
    ['transfers:write'],
    ['checkout:write'],
    ['products:write'],
  ]) {
    t.deepEqual((await errorIn(await create('live', scopes))).slice(0, 2), [403, 'role_not_allowed'], `${scopes}`);
    t.is((await create('test', scopes)).status, 201, `${scopes}`);
  }
  const { id } = await (await create('live', ['webhooks:write'])).json();
  const roll = (key: string) => developer.call(`${path}/${key}/roll`, { method: 'POST', mode: 'live' });
  t.is((await roll(id)).status, 201);
  const whole = await createKey(administrator, { mode: 'live' });
  t.deepEqual((await errorIn(await roll(whole.id))).slice(0, 2), [403, 'role_not_allowed']);
});

test('createApiKey 201 stores the hash of the key and the parts that lists show, and not the whole key', async (t) => {
  const { id, key } = await createKey(await signIn(server()));

  const [row] = await server().database.query('select api_key::text from api_key where id = $1', [id]);

  t.truthy(row);
  t.false(JSON.stringify(row).includes(key.slice('sk_test_'.length + 4, -4)));
});

test('createApiKey 201 creates a key that works at once, for the merchant and the mode of the session', async (t) => {
  const ada = await signIn(server());

  for (const mode of ['test', 'live'] as const) {
    const { key } = await createKey(ada, { mode });

    t.regex(key, new RegExp(`^sk_${mode}_`));
    const account = await (await server().request('/api/v1/me', { key })).json();
    t.is(account.mode, mode);
    t.is(account.merchant.id, ada.merchant.id);
  }
});

test('createApiKey 201 creates a key with a list of all scopes, and every answer has this list', async (t) => {
  const ada = await signIn(server());
  const scopes = Object.keys(namedSchema(readContract().model, 'Scope')['x-extensible-enum'] ?? {});
  t.true(scopes.length >= 9);

  const { id, key, ...created } = await createKey(ada, { scopes: scopes as never });

  t.deepEqual(created.scopes, scopes);
  t.deepEqual((await (await server().request('/api/v1/me', { key })).json()).key.scopes, scopes);
  t.deepEqual((await keysOf(ada)).apiKeys[0]?.scopes, scopes);
  t.is((await ada.call(`${path}/${id}`, { method: 'DELETE' })).status, 200);
});

test('createApiKey 201 creates a key that may do only what its scopes allow', async (t) => {
  const { key, scopes } = await createKey(await signIn(server()), { name: 'Bookkeeping', scopes: ['payments:read'] });

  const registering = await server().request('/api/v1/merchant-webhooks', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: unreachableUrl }),
  });

  t.deepEqual(scopes, ['payments:read']);
  t.is((await listPayments(key)).status, 200);
  t.deepEqual(await errorIn(registering), [403, 'insufficient_scope']);
});

test('createApiKey 201 creates a key without a name and without scopes', async (t) => {
  const { call } = await signIn(server());

  for (const json of [{}, { scopes: null }]) {
    const response = await call(path, { method: 'POST', json });

    t.is(response.status, 201);
    t.like(await response.json(), { name: null, scopes: null });
  }
});

test('createApiKey 201 stores a repeated scope once', async (t) => {
  const created = await createKey(await signIn(server()), { scopes: ['payments:read', 'payments:read'] });

  t.deepEqual(created.scopes, ['payments:read']);
});

const refused: [situation: string, json: unknown, code: string, param: string | null][] = [
  ['the name is empty', { name: '' }, 'invalid_parameter', 'name'],
  ['the name is too long', { name: 'a'.repeat(121) }, 'invalid_parameter', 'name'],
  ['the name has a character that Postgres cannot store', { name: 'a\u0000' }, 'invalid_parameter', 'name'],
  ['the scopes are empty', { scopes: [] }, 'invalid_parameter', 'scopes'],
  ['a scope is unknown', { scopes: ['keys:write'] }, 'invalid_parameter', 'scopes'],
  ['the mode is in the body', { mode: 'live' }, 'unknown_parameter', 'mode'],
  ['the body is not an object', [], 'invalid_parameter', null],
];

for (const [situation, json, code, param] of refused) {
  test(`createApiKey 400 when ${situation}`, async (t) => {
    const ada = await signIn(server());

    const response = await ada.call(path, { method: 'POST', json });

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
    t.is((await keysOf(ada)).total, 1);
  });
}

test('createApiKey 409 when the merchant has a hundred usable keys, until one is revoked', async (t) => {
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
    t.deepEqual(await errorIn(response), [409, 'api_key_limit_reached']);
  }
  t.is((await ada.call(path, { method: 'POST', json: {}, mode: 'live' })).status, 201);

  await ada.call(`${path}/${id}`, { method: 'DELETE' });
  t.is((await ada.call(path, { method: 'POST', json: {} })).status, 201);
});

test('createApiKey 401 for an API key, so that a leaked key cannot create keys', async (t) => {
  const ada = await signIn(server());
  const { testKey } = ada.merchant;

  for (const scheme of ['bearerAuth', 'apiKeyHeader'] as const) {
    const headers = credentialHeaders(scheme, testKey);
    const response = await server().request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-mode': 'test', ...headers },
      body: '{}',
    });

    t.deepEqual(await errorIn(response), [401, 'wrong_auth_header']);
  }
  t.is((await keysOf(ada)).total, 1);
});

test('createApiKey 403 for a request from a page of another site, and no key is created', async (t) => {
  const ada = await signIn(server());

  const headers = { 'sec-fetch-site': 'cross-site' };
  const response = await ada.call(path, { method: 'POST', json: {}, headers });

  t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
  t.is((await keysOf(ada)).total, 1);
});

test('listApiKeys 200 lists the keys of the mode, newest first, without their values', async (t) => {
  const ada = await signIn(server());
  const { key, ...shown } = await createKey(ada, { name: 'Bookkeeping', scopes: ['payments:read'] });

  const response = await ada.call(path);

  t.is(response.status, 200);
  const { apiKeys, total } = await response.json();
  t.is(total, 2);
  t.deepEqual(apiKeys[0], shown);
  t.like(apiKeys[1], {
    name: null,
    mode: 'test',
    prefix: ada.merchant.testKey.slice(0, 12),
    last4: ada.merchant.testKey.slice(-4),
    scopes: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    rolledFrom: null,
  });
  t.false(JSON.stringify(apiKeys).includes(key));
});

test('listApiKeys 200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const { id } = await createKey(ada, { mode: 'live' });
  await createKey(other);

  const { apiKeys, total } = await keysOf(ada, 'live');

  t.is(total, 2);
  t.is(apiKeys[0]?.id, id);
  t.true(apiKeys.every(({ mode }) => mode === 'live'));
  t.is((await keysOf(ada)).total, 1);
});

test('listApiKeys 200 also lists keys that were revoked or have expired', async (t) => {
  const ada = await signIn(server());
  const [revoked, rolled] = [await createKey(ada), await createKey(ada)];
  await ada.call(`${path}/${revoked.id}`, { method: 'DELETE' });
  await ada.call(`${path}/${rolled.id}/roll`, { method: 'POST', json: { overlapSeconds: 0 } });

  const { apiKeys, total } = await keysOf(ada);

  t.is(total, 4);
  const [successor, second, first] = apiKeys;
  t.is(successor?.rolledFrom, rolled.id);
  t.truthy(second?.expiresAt);
  t.truthy(first?.revokedAt);
});

test('listApiKeys 200 skips `offset` records and returns at most `limit`', async (t) => {
  const ada = await signIn(server());
  const middle = await createKey(ada);
  await createKey(ada);

  const { apiKeys, total } = await (await ada.call(`${path}?limit=1&offset=1`)).json();

  t.is(total, 3);
  t.deepEqual(
    apiKeys.map(({ id }: { id: string }) => id),
    [middle.id],
  );
});

test('listApiKeys 200 has the time when a key was last used', async (t) => {
  const ada = await signIn(server());

  await ada.merchant.client.payments.list();

  await eventually(
    async () => (await keysOf(ada)).apiKeys[0]?.lastUsedAt,
    (seen) => typeof seen === 'string',
  );
  t.is((await keysOf(ada, 'live')).apiKeys[0]?.lastUsedAt, null);
});

const refusedLists: RefusedQuery[] = [
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['the mode is a query parameter', 'mode=live', 'unknown_parameter', 'mode'],
];

testRefusedQueries({ operation: 'listApiKeys', path }, sharedUser, refusedLists);

const roll = ({ call }: SignedIn, id: string, json?: unknown) =>
  call(`${path}/${id}/roll`, { method: 'POST', ...(json !== undefined && { json }) });

async function overlapOf(ada: SignedIn, successor: { rolledFrom: string | null; createdAt: string }): Promise<number> {
  const old = (await keysOf(ada)).apiKeys.find(({ id }) => id === successor.rolledFrom);
  return Math.round((Date.parse(old?.expiresAt ?? '') - Date.parse(successor.createdAt)) / 1000);
}

test('rollApiKey 201 returns a successor with the same scopes, and the old and the new key work for a day', async (t) => {
  const ada = await signIn(server());
  const { key: oldKey, ...old } = await createKey(ada, { name: 'Bookkeeping', scopes: ['payments:read'] });

  const response = await roll(ada, old.id);

  t.is(response.status, 201);
  const { key, ...successor } = await response.json();
  t.like(successor, {
    name: 'Bookkeeping',
    mode: 'test',
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    scopes: ['payments:read'],
    expiresAt: null,
    rolledFrom: old.id,
  });
  t.not(key, oldKey);
  t.deepEqual((await keysOf(ada)).apiKeys[0], successor);
  t.is(await overlapOf(ada, successor), 86_400);
  t.is((await listPayments(oldKey)).status, 200);
  t.is((await listPayments(key)).status, 200);
});

test('rollApiKey 201 lets the old key work for the requested time', async (t) => {
  const ada = await signIn(server());

  for (const overlapSeconds of [3600, 86_400, 604_800]) {
    const { id } = await createKey(ada);

    const successor = await (await roll(ada, id, { overlapSeconds })).json();

    t.is(await overlapOf(ada, successor), overlapSeconds);
  }
});

test('rollApiKey 201 with an overlap of 0 ends the old key immediately', async (t) => {
  const ada = await signIn(server());
  const { id, key: oldKey } = await createKey(ada);

  const { key } = await (await roll(ada, id, { overlapSeconds: 0 })).json();

  t.deepEqual(await errorIn(await listPayments(oldKey)), [401, 'expired_api_key']);
  t.is((await listPayments(key)).status, 200);
});

test('rollApiKey 201 does not extend the life of a key that already has a successor', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);
  const first = await (await roll(ada, id, { overlapSeconds: 3600 })).json();

  t.is((await roll(ada, id, { overlapSeconds: 604_800 })).status, 201);

  t.is(await overlapOf(ada, first), 3600);
});

test('rollApiKey 201 for only one of several concurrent calls that end the same key immediately', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);

  const rolls = await Promise.all([1, 2, 3, 4].map(() => roll(ada, id, { overlapSeconds: 0 })));

  t.deepEqual(rolls.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  t.is((await keysOf(ada)).apiKeys.filter(({ rolledFrom }) => rolledFrom === id).length, 1);
});

const refusedRolls: [situation: string, json: unknown, code: string, param: string][] = [
  ['the overlap is not one of the allowed values', { overlapSeconds: 60 }, 'invalid_parameter', 'overlapSeconds'],
  ['the overlap is a word', { overlapSeconds: '24h' }, 'invalid_parameter', 'overlapSeconds'],
  ['a field is unknown', { name: 'Web shop' }, 'unknown_parameter', 'name'],
];

for (const [situation, json, code, param] of refusedRolls) {
  test(`rollApiKey 400 when ${situation}`, async (t) => {
    const ada = await sharedUser();
    const { id, key } = await createKey(ada);

    const response = await roll(ada, id, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
    const { apiKeys } = await keysOf(ada);
    t.is(apiKeys.find((apiKey) => apiKey.id === id)?.expiresAt, null);
    t.false(apiKeys.some(({ rolledFrom }) => rolledFrom === id));
    t.is((await listPayments(key)).status, 200);
  });
}

test('rollApiKey 400 when the id is not a UUID', async (t) => {
  const response = await roll(await sharedUser(), 'sk_test_4fQz');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('rollApiKey 404 when the key belongs to another merchant or the other mode, and the key still works', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const [live, foreign] = [await createKey(ada, { mode: 'live' }), await createKey(other)];

  for (const { id, key } of [live, foreign]) {
    t.deepEqual(await errorIn(await roll(ada, id, { overlapSeconds: 0 })), [404, 'resource_not_found']);
    t.is((await listPayments(key)).status, 200);
  }
  t.is((await keysOf(other)).total, 2);
});

test('rollApiKey 409 when the key was revoked or has expired, and no successor is created', async (t) => {
  const ada = await signIn(server());
  const [revoked, rolled] = [await createKey(ada), await createKey(ada)];
  await ada.call(`${path}/${revoked.id}`, { method: 'DELETE' });
  await roll(ada, rolled.id, { overlapSeconds: 0 });
  const { total } = await keysOf(ada);

  for (const { id } of [revoked, rolled]) {
    t.deepEqual(await errorIn(await roll(ada, id)), [409, 'api_key_ended']);
  }
  t.is((await keysOf(ada)).total, total);
});

const revoke = ({ call }: SignedIn, id: string) => call(`${path}/${id}`, { method: 'DELETE' });

test('revokeApiKey 200 returns the key, and later calls with the key are refused', async (t) => {
  const ada = await signIn(server());
  const { key, ...shown } = await createKey(ada, { name: 'Web shop' });

  const response = await revoke(ada, shown.id);

  t.is(response.status, 200);
  const revoked = await response.json();
  t.deepEqual(revoked, { ...shown, revokedAt: revoked.revokedAt });
  t.false(Number.isNaN(Date.parse(revoked.revokedAt)));
  t.deepEqual(await errorIn(await listPayments(key)), [401, 'invalid_api_key']);
});

test('revokeApiKey 200 for a key that is already revoked, and its record does not change', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);
  const revoked = await (await revoke(ada, id)).json();

  const again = await revoke(ada, id);

  t.is(again.status, 200);
  t.deepEqual(await again.json(), revoked);
  t.deepEqual((await keysOf(ada)).apiKeys[0], revoked);
});

test('revokeApiKey 200 for a key that is being replaced, and its successor still works', async (t) => {
  const ada = await signIn(server());
  const { id, key } = await createKey(ada);
  const successor = await (await ada.call(`${path}/${id}/roll`, { method: 'POST' })).json();

  const revoked = await (await revoke(ada, id)).json();

  t.truthy(revoked.revokedAt);
  t.truthy(revoked.expiresAt);
  t.deepEqual(await errorIn(await listPayments(key)), [401, 'invalid_api_key']);
  t.is((await listPayments(successor.key)).status, 200);
});

test('revokeApiKey 200 for the last key of a merchant, who can still create another key', async (t) => {
  const ada = await signIn(server());
  const [only] = (await keysOf(ada)).apiKeys;

  t.is((await revoke(ada, only?.id ?? '')).status, 200);

  t.deepEqual(await errorIn(await listPayments(ada.merchant.testKey)), [401, 'invalid_api_key']);
  t.is((await listPayments((await createKey(ada)).key)).status, 200);
});

test('revokeApiKey 400 when the id is not a UUID', async (t) => {
  const response = await revoke(await signIn(server()), 'sk_test_4fQz');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('revokeApiKey 404 when the key does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const [live, foreign] = [await createKey(ada, { mode: 'live' }), await createKey(other)];

  for (const { id, key } of [live, foreign]) {
    t.deepEqual(await errorIn(await revoke(ada, id)), [404, 'resource_not_found']);
    t.is((await listPayments(key)).status, 200);
  }
  const nothing = await revoke(ada, '019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60');
  t.deepEqual(await errorIn(nothing), [404, 'resource_not_found']);
});
