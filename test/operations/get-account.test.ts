import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 returns the merchant of the key and what it may do', async (t) => {
  const { id, testKey } = await server().createMerchant('Ada and Sons');

  const response = await server().request('/api/v1/me', { key: testKey });

  t.is(response.status, 200);
  const account = await response.json();
  t.deepEqual(account, {
    merchant: { id, name: 'Ada and Sons', currency: 'NGN' },
    mode: 'test',
    key: {
      prefix: testKey.slice(0, 12),
      last4: testKey.slice(-4),
      scopes: null,
      expiresAt: null,
      lastUsedAt: null,
    },
  });
});

test('200 returns when the key was used before this call, and never the time of this call', async (t) => {
  const { id, client } = await server().createMerchant();
  const lastUsedAt = async () => (await client.account.get()).key.lastUsedAt;
  const stored = async () =>
    (
      await server().database.query('select last_used_at from api_key where merchant_id = $1 and mode = $2', [
        id,
        'test',
      ])
    )[0]?.last_used_at;

  t.is(await lastUsedAt(), null);
  const first = await eventually(stored, (seen) => seen !== null);
  t.is(await lastUsedAt(), new Date(first as Date).toISOString());

  // The use of an hour ago is what this call sees, although it writes its own time at the same moment.
  await server().database.query(`update api_key set last_used_at = '2026-01-02T03:04:05Z' where merchant_id = $1`, [
    id,
  ]);
  t.is(await lastUsedAt(), '2026-01-02T03:04:05.000Z');
});

test('200 for a key with any scopes, and returns its scopes and when it expires', async (t) => {
  const { id, liveKey } = await server().createMerchant();
  await server().database.query(
    `update api_key set scopes = '{products:read}', expires_at = '2999-01-01T00:00:00Z'
     where merchant_id = $1 and mode = 'live'`,
    [id],
  );

  const response = await server().request('/api/v1/me', { key: liveKey });

  const { mode, key } = await response.json();
  t.is(mode, 'live');
  t.like(key, { scopes: ['products:read'], expiresAt: '2999-01-01T00:00:00.000Z' });
});

test('401 when the key is unknown', async (t) => {
  const { status } = await server().request('/api/v1/me', { key: 'sk_test_nobody' });

  t.is(status, 401);
});
