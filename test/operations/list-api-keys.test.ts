import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import {
  createKey,
  keysOf,
  type RefusedQuery,
  signIn,
  testRefusedQueries,
  userForFile,
} from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/api-keys';

test('200 lists the keys of the mode, newest first, without their values', async (t) => {
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

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const { id } = await createKey(ada, { mode: 'live' });
  await createKey(other);

  const { apiKeys, total } = await keysOf(ada, 'live');

  t.is(total, 2);
  t.is(apiKeys[0]?.id, id);
  t.true(apiKeys.every(({ mode }) => mode === 'live'));
  t.is((await keysOf(ada)).total, 1);
});

test('200 also lists keys that were revoked or have expired', async (t) => {
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

test('200 skips offset records and returns at most limit', async (t) => {
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

test('200 has the time when a key was last used', async (t) => {
  const ada = await signIn(server());

  await ada.merchant.client.payments.list();

  await eventually(
    async () => (await keysOf(ada)).apiKeys[0]?.lastUsedAt,
    (seen) => typeof seen === 'string',
  );
  t.is((await keysOf(ada, 'live')).apiKeys[0]?.lastUsedAt, null);
});

const refused: RefusedQuery[] = [
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['the mode is asked for in the query', 'mode=live', 'unknown_parameter', 'mode'],
];

testRefusedQueries(path, sharedUser, refused);
