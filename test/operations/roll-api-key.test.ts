import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { createKey, keysOf, refusalIn, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/api-keys';

const roll = ({ call }: SignedIn, id: string, json?: unknown) =>
  call(`${path}/${id}/roll`, { method: 'POST', ...(json !== undefined && { json }) });

const listPayments = (key: string) => server().request('/api/v1/payments', { key });

/** The time from the creation of the successor to the end of the old key, in whole seconds. */
async function overlapOf(ada: SignedIn, successor: { rolledFrom: string | null; createdAt: string }): Promise<number> {
  const old = (await keysOf(ada)).apiKeys.find(({ id }) => id === successor.rolledFrom);
  return Math.round((Date.parse(old?.expiresAt ?? '') - Date.parse(successor.createdAt)) / 1000);
}

test('201 returns a successor with the same scopes, and both keys work for a day', async (t) => {
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

test('201 lets the old key work for the requested time', async (t) => {
  const ada = await signIn(server());

  for (const overlapSeconds of [3600, 86_400, 604_800]) {
    const { id } = await createKey(ada);

    const successor = await (await roll(ada, id, { overlapSeconds })).json();

    t.is(await overlapOf(ada, successor), overlapSeconds);
  }
});

test('201 with an overlap of 0 ends the old key at once', async (t) => {
  const ada = await signIn(server());
  const { id, key: oldKey } = await createKey(ada);

  const { key } = await (await roll(ada, id, { overlapSeconds: 0 })).json();

  t.deepEqual(await refusalIn(await listPayments(oldKey)), [401, 'expired_api_key']);
  t.is((await listPayments(key)).status, 200);
});

test('201 does not extend the life of a key that is being replaced already', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);
  const first = await (await roll(ada, id, { overlapSeconds: 3600 })).json();

  t.is((await roll(ada, id, { overlapSeconds: 604_800 })).status, 201);

  t.is(await overlapOf(ada, first), 3600);
});

test('201 for only one of several concurrent rolls that end the same key at once', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);

  const rolls = await Promise.all([1, 2, 3, 4].map(() => roll(ada, id, { overlapSeconds: 0 })));

  t.deepEqual(rolls.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  t.is((await keysOf(ada)).apiKeys.filter(({ rolledFrom }) => rolledFrom === id).length, 1);
});

const refused: [situation: string, json: unknown, code: string, param: string][] = [
  ['the overlap is none of those there are', { overlapSeconds: 60 }, 'invalid_parameter', 'overlapSeconds'],
  ['the overlap is a word', { overlapSeconds: '24h' }, 'invalid_parameter', 'overlapSeconds'],
  ['a field is unknown', { name: 'Web shop' }, 'unknown_parameter', 'name'],
];

for (const [situation, json, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
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

test('400 when the id is not a UUID', async (t) => {
  const response = await roll(await sharedUser(), 'sk_test_4fQz');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('404 when the key belongs to another merchant or the other mode, and the key still works', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const [live, foreign] = [await createKey(ada, { mode: 'live' }), await createKey(other)];

  for (const { id, key } of [live, foreign]) {
    t.deepEqual(await refusalIn(await roll(ada, id, { overlapSeconds: 0 })), [404, 'resource_not_found']);
    t.is((await listPayments(key)).status, 200);
  }
  t.is((await keysOf(other)).total, 2);
});

test('409 when the key was revoked or has expired, and no successor is created', async (t) => {
  const ada = await signIn(server());
  const [revoked, rolled] = [await createKey(ada), await createKey(ada)];
  await ada.call(`${path}/${revoked.id}`, { method: 'DELETE' });
  await roll(ada, rolled.id, { overlapSeconds: 0 });
  const { total } = await keysOf(ada);

  for (const { id } of [revoked, rolled]) {
    t.deepEqual(await refusalIn(await roll(ada, id)), [409, 'api_key_ended']);
  }
  t.is((await keysOf(ada)).total, total);
});
