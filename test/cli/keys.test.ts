import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

/** Runs the command on the database of the shared server, without master keys, because it needs none. */
const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

interface KeyRecord {
  id: string;
  key: string;
  [field: string]: unknown;
}

async function createKey(merchantId: string, ...more: string[]): Promise<KeyRecord> {
  const { stdout } = await tillhook('keys', 'create', '--mode', 'test', '--merchant', merchantId, '--json', ...more);
  return JSON.parse(stdout);
}

const call = (key: string) => server().request('/api/v1/payments', { key });

async function isRefused(t: ExecutionContext, key: string, code: string): Promise<void> {
  t.is((await (await call(key)).json()).error.code, code);
}

test('the output of a new key contains the key only, and the key works', async (t) => {
  const { id } = await server().createMerchant('Ada and Sons');

  const { code, stdout, stderr } = await tillhook('keys', 'create', '--mode', 'test', '--merchant', id);

  t.is(code, 0);
  t.regex(stdout, /^sk_test_[0-9A-Za-z]{38}\n$/);
  t.regex(stderr, /^This test key of Ada and Sons may do everything\./);
  t.is((await call(stdout.trim())).status, 200);
});

test('a note replaces what a terminal would obey in the name of a merchant', async (t) => {
  const { id } = await server().createMerchant();
  await server().database.query('update merchant set name = $2 where id = $1', [id, 'Ada\u001b[2J\u202eevil\nowned']);

  const { stderr } = await tillhook('keys', 'create', '--mode', 'test', '--merchant', id);

  t.regex(stderr, /^This test key of Ada�\[2J�evil\nowned may do everything\./);
});

test('a key keeps the scopes of its creation, without duplicates', async (t) => {
  const { id: merchantId } = await server().createMerchant();

  const scopes = ['--scopes', 'payments:read, webhooks:read,payments:read'];
  const { id, key } = await createKey(merchantId, ...scopes);

  const rows = await server().database.query('select scopes, mode from api_key where id = $1', [id]);
  t.deepEqual(rows, [{ scopes: ['payments:read', 'webhooks:read'], mode: 'test' }]);
  t.is((await call(key)).status, 200);
});

test('a revoked key is refused at once', async (t) => {
  const { id, key } = await createKey((await server().createMerchant()).id);
  t.is((await call(key)).status, 200);

  t.is((await tillhook('keys', 'revoke', id)).code, 0);

  await isRefused(t, key, 'invalid_api_key');
});

test('a rolled key works until its overlap ends, and its successor has the same scopes', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  const old = await createKey(merchantId, '--scopes', 'payments:read');

  const successor = JSON.parse((await tillhook('keys', 'roll', String(old.prefix), '--json')).stdout);

  t.like(successor, { rolledFrom: old.id, mode: 'test', scopes: ['payments:read'], expiresAt: null });
  t.is((await call(old.key)).status, 200);
  t.is((await call(successor.key)).status, 200);
  const left = 'select expires_at - now() between $2::interval and $3::interval as fits from api_key where id = $1';
  t.deepEqual(await server().database.query(left, [old.id, '23 h 50 min', '24 h']), [{ fits: true }]);

  await client.test.advanceTime({ seconds: 86_400 });
  await isRefused(t, old.key, 'expired_api_key');
  t.is((await call(successor.key)).status, 200);
});

test('a key rolled without an overlap ends at once and cannot be rolled again', async (t) => {
  const { id, key } = await createKey((await server().createMerchant()).id);

  t.is((await tillhook('keys', 'roll', id, '--overlap', '0')).code, 0);

  await isRefused(t, key, 'expired_api_key');
  const again = await tillhook('keys', 'roll', id);
  t.is(again.code, 1);
  t.is(again.stdout, '');
  t.regex(again.stderr, /^sk_test_.* has ended and cannot be rolled; create one\n$/);
});

test('the last use of a key is written at most once a minute', async (t) => {
  const { id, key } = await createKey((await server().createMerchant()).id);
  const lastUse = async () => {
    const [row] = await server().database.query<{ at: Date | null }>(
      'select last_used_at as at from api_key where id = $1',
      [id],
    );
    return row?.at?.getTime() ?? 0;
  };
  t.is(await lastUse(), 0);

  await call(key);
  await eventually(lastUse, (seen) => seen > 0);
  const first = await lastUse();
  await Promise.all([call(key), call(key), call(key)]);
  t.is(await lastUse(), first);

  const aMinuteAgo = "update api_key set last_used_at = last_used_at - interval '61 seconds' where id = $1";
  await server().database.query(aMinuteAgo, [id]);
  await call(key);
  await t.notThrowsAsync(eventually(lastUse, (seen) => seen >= first));
});

test('the calls of a suspended merchant are 403 until it is resumed', async (t) => {
  const { id, testKey } = await server().createMerchant();

  t.is((await tillhook('merchants', 'suspend', id)).code, 0);
  t.is((await call(testKey)).status, 403);
  await isRefused(t, testKey, 'merchant_suspended');

  t.is((await tillhook('merchants', 'resume', id)).code, 0);
  t.is((await call(testKey)).status, 200);
  const acts = 'select action, mode from audit_entry where merchant_id = $1 order by id';
  t.deepEqual(await server().database.query(acts, [id]), [
    { action: 'suspendMerchant', mode: null },
    { action: 'resumeMerchant', mode: null },
  ]);
});

test("a key and its successor have a name, and the audit log shows the operator's commands", async (t) => {
  const { id: merchantId } = await server().createMerchant();

  const made = await createKey(merchantId, '--name', 'Web shop');
  const successor = JSON.parse((await tillhook('keys', 'roll', made.id, '--json')).stdout);
  await tillhook('keys', 'revoke', successor.id);

  t.deepEqual([made.name, successor.name], ['Web shop', 'Web shop']);
  t.regex((await tillhook('keys', 'list', '--merchant', merchantId)).stdout, /Web shop$/m);
  const acts = 'select action, subject, mode, user_email from audit_entry where merchant_id = $1 order by id';
  t.deepEqual(await server().database.query(acts, [merchantId]), [
    { action: 'createApiKey', subject: made.id, mode: 'test', user_email: null },
    { action: 'rollApiKey', subject: made.id, mode: 'test', user_email: null },
    { action: 'revokeApiKey', subject: successor.id, mode: 'test', user_email: null },
  ]);
});

test('the list shows the status of each key, and no complete key', async (t) => {
  const { id: merchantId } = await server().createMerchant();
  const revoked = await createKey(merchantId);
  const rolled = await createKey(merchantId);
  await tillhook('keys', 'revoke', revoked.id);
  await tillhook('keys', 'roll', rolled.id, '--overlap', '7d');

  const { stdout } = await tillhook('keys', 'list', '--merchant', merchantId);

  t.regex(stdout, new RegExp(`^${revoked.id}  sk_test_.{4}….{4}  test  revoked +never`, 'm'));
  t.regex(stdout, new RegExp(`^${rolled.id}  sk_test_.{4}….{4}  test  rolled +never`, 'm'));
  t.is(stdout.match(/ active /g)?.length, 3);
  t.notRegex(stdout, /sk_(test|live)_\w{5}/);
});
