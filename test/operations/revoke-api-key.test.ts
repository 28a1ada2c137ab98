import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { createKey, keysOf, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/api-keys';

const revoke = ({ call }: SignedIn, id: string) => call(`${path}/${id}`, { method: 'DELETE' });

const listPayments = (key: string) => server().request('/api/v1/payments', { key });

test('200 returns the key, which is refused from now on', async (t) => {
  const ada = await signIn(server());
  const { key, ...shown } = await createKey(ada, { name: 'Web shop' });

  const response = await revoke(ada, shown.id);

  t.is(response.status, 200);
  const revoked = await response.json();
  t.deepEqual(revoked, { ...shown, revokedAt: revoked.revokedAt });
  t.false(Number.isNaN(Date.parse(revoked.revokedAt)));
  t.deepEqual(await refusalIn(await listPayments(key)), [401, 'invalid_api_key']);
});

test('200 for a revoked key, with the same record', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);
  const revoked = await (await revoke(ada, id)).json();

  const again = await revoke(ada, id);

  t.is(again.status, 200);
  t.deepEqual(await again.json(), revoked);
  t.deepEqual((await keysOf(ada)).apiKeys[0], revoked);
});

test('200 for a key that is being replaced, and its successor still works', async (t) => {
  const ada = await signIn(server());
  const { id, key } = await createKey(ada);
  const successor = await (await ada.call(`${path}/${id}/roll`, { method: 'POST' })).json();

  const revoked = await (await revoke(ada, id)).json();

  t.truthy(revoked.revokedAt);
  t.truthy(revoked.expiresAt);
  t.deepEqual(await refusalIn(await listPayments(key)), [401, 'invalid_api_key']);
  t.is((await listPayments(successor.key)).status, 200);
});

test('200 for the last key of a merchant, who can still create another', async (t) => {
  const ada = await signIn(server());
  const [only] = (await keysOf(ada)).apiKeys;

  t.is((await revoke(ada, only?.id ?? '')).status, 200);

  t.deepEqual(await refusalIn(await listPayments(ada.merchant.testKey)), [401, 'invalid_api_key']);
  t.is((await listPayments((await createKey(ada)).key)).status, 200);
});

test('400 when the id is not a UUID', async (t) => {
  const response = await revoke(await signIn(server()), 'sk_test_4fQz');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('404 when the key does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const [live, foreign] = [await createKey(ada, { mode: 'live' }), await createKey(other)];

  for (const { id, key } of [live, foreign]) {
    t.deepEqual(await refusalIn(await revoke(ada, id)), [404, 'resource_not_found']);
    t.is((await listPayments(key)).status, 200);
  }
  const nothing = await revoke(ada, '019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60');
  t.deepEqual(await refusalIn(nothing), [404, 'resource_not_found']);
});
