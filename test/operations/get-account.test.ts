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
      // The time is written while the server answers, so the answer may have the old or the new value.
      lastUsedAt: account.key.lastUsedAt,
    },
  });
});

test('200 returns when the key was last used', async (t) => {
  const { client } = await server().createMerchant();
  const before = Date.now();

  const lastUsedAt = async () => (await client.account.get()).key.lastUsedAt;
  const shown = await eventually(lastUsedAt, (seen) => seen !== null);

  t.true(Date.parse(shown ?? '') >= before - 1000, `${shown}`);
  t.true(Date.parse(shown ?? '') <= Date.now() + 1000, `${shown}`);
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
