import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile, startServer, usualSettings } from '../support/server/tillhook.ts';
import { addPasskey, beginSignIn, postAssertion, signInWithPasskey } from '../support/users/passkeys.ts';
import { cookieOf, errorIn, postSession } from '../support/users/session.ts';

const server = serverForFile();

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

async function signIn(email: string, password: string): Promise<string | undefined> {
  const response = await postSession(server(), { email, password });
  return response.ok ? cookieOf(response) : undefined;
}

async function isSignedIn(cookie: string): Promise<boolean> {
  const headers = { cookie, 'x-service-mode': 'test' };
  const response = await server().request('/api/v1/dashboard/session', { headers });
  return response.status === 200;
}

test('a new user signs in with the printed password, until the password is reset', async (t) => {
  const created = await tillhook('merchants', 'create', '--name', 'Ada and Sons', '--currency', 'KES');
  const user = await tillhook('users', 'create', '--email', 'Ada@example.com', '--merchant', created.stdout.trim());
  const password = user.stdout.trim();
  const cookie = (await signIn('ada@example.com', password)) ?? '';
  t.true(await isSignedIn(cookie));

  const reset = await tillhook('users', 'reset-password', '--email', 'ada@EXAMPLE.com', '--json');

  t.is(reset.code, 0, reset.stderr);
  t.false(await isSignedIn(cookie));
  t.is(await signIn('ada@example.com', password), undefined);
  t.true(await isSignedIn((await signIn('ada@example.com', JSON.parse(reset.stdout).password)) ?? ''));
});

test('the users of a suspended merchant are signed out, and the next sign-in says why it is refused', async (t) => {
  const { id } = await server().createMerchant();
  const email = 'cleo@example.com';
  const password = (await tillhook('users', 'create', '--email', email, '--merchant', id)).stdout.trim();
  const cookie = (await signIn(email, password)) ?? '';

  await tillhook('merchants', 'suspend', id);

  t.false(await isSignedIn(cookie));
  t.deepEqual(await errorIn(await postSession(server(), { email, password })), [403, 'merchant_suspended']);
  const acts = 'select action, subject from audit_entry where merchant_id = $1 order by id';
  t.deepEqual(await server().database.query(acts, [id]), [
    { action: 'createUser', subject: email },
    { action: 'signIn', subject: null },
    { action: 'suspendMerchant', subject: null },
  ]);
});

test('`users create` with an email in use and `users reset-password` with an unknown email each print one line and exit with 1', async (t) => {
  const { id } = await server().createMerchant();
  await tillhook('users', 'create', '--email', 'bob@example.com', '--merchant', id);

  const again = await tillhook('users', 'create', '--email', 'BOB@example.com', '--merchant', id);
  const nobody = await tillhook('users', 'reset-password', '--email', 'nobody@example.com');

  const fullWidth = await tillhook('users', 'create', '--email', 'bob@ｅxample.com', '--merchant', id);

  t.deepEqual([again.code, nobody.code, fullWidth.code], [1, 1, 1]);
  t.is(again.stderr, 'email BOB@example.com is in use already\n');
  t.is(fullWidth.stderr, 'email bob@example.com is in use already\n');
  t.is(nobody.stderr, 'There is no user nobody@example.com\n');
});

test('a user whose email has a letter outside ASCII before the @, as older versions allowed, can get a new password', async (t) => {
  const { id } = await server().createMerchant();
  const email = 'müller@example.com';
  await tillhook('users', 'create', '--email', 'muller@example.com', '--merchant', id);
  await server().database.query("update dashboard_user set email = $1 where email = 'muller@example.com'", [email]);

  const reset = await tillhook('users', 'reset-password', '--email', email);

  t.is(reset.code, 0, reset.stderr);
  t.is((await tillhook('users', 'remove-two-step', '--email', email)).code, 0);
  t.not((await tillhook('users', 'create', '--email', email, '--merchant', id)).code, 0);
});

test('`users create` refuses the email of the demo merchant, whose checkouts need no API key', async (t) => {
  const { id } = await server().createMerchant();

  const made = await tillhook('users', 'create', '--email', 'Demo@example.com', '--merchant', id);

  t.is(made.code, 1);
  t.is(made.stderr, 'email Demo@example.com is kept for the demo merchant, whose checkouts need no key\n');
  t.deepEqual(await server().database.query('select id from dashboard_user where merchant_id = $1', [id]), []);
});

test('--merchant is required when there are several merchants', async (t) => {
  await server().createMerchant();
  await server().createMerchant();

  const { code, stdout, stderr } = await tillhook('keys', 'create', '--mode', 'live');

  t.is(code, 1);
  t.is(stdout, '');
  t.regex(stderr, /^There is more than one merchant: pass --merchant with an id/);
});

test('--role sets the role of a user, which is administrator by default, merchant is another word for administrator, and the list of users shows the role', async (t) => {
  const { id } = await server().createMerchant('Dora and Sons');
  const add = (email: string, ...more: string[]) =>
    tillhook('users', 'create', '--email', email, '--merchant', id, '--json', ...more);

  const made = [
    await add('dora@example.com'),
    await add('vera@example.com', '--role', 'viewer'),
    await add('moe@example.com', '--role', 'merchant'),
  ];
  const wrong = await add('olaf@example.com', '--role', 'owner');
  const list = await tillhook('users', 'list', '--merchant', id);

  t.deepEqual(
    made.map(({ stdout }) => JSON.parse(stdout).role),
    ['administrator', 'viewer', 'administrator'],
  );
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /Allowed choices are administrator, developer, support, viewer, operator/);
  t.regex(
    list.stdout,
    /^dora@example\.com +administrator +Dora and Sons +off +0\nvera@example\.com +viewer +Dora and Sons +off +0$/m,
  );
});

test('invite prints a link that makes a user, set-role changes the role, and remove ends the access; the last administrator stays', async (t) => {
  const { id } = await server().createMerchant('Ines and Sons');
  const email = 'ines@example.com';
  const invited = await tillhook('users', 'invite', '--email', email, '--merchant', id, '--role', 'developer');
  const link = invited.stdout.trim();
  t.regex(link, /\/dashboard\/invitation\?token=[\w-]{43}$/);
  t.regex(invited.stderr, /^Give this link to ines@example\.com\. It works once, until /m);
  t.true(link.startsWith('http://localhost:3000/'), 'the address of a server with these settings');

  const accepted = await server().request('/api/v1/dashboard/invitations/accept', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('token=')[1], name: 'Ines', password: 'kitchen radio april' }),
  });
  t.is(accepted.status, 201);
  const cookie = cookieOf(accepted);

  t.is((await tillhook('users', 'set-role', '--email', email, '--role', 'merchant')).code, 0);
  const demoted = await tillhook('users', 'set-role', '--email', email, '--role', 'viewer');
  const removed = await tillhook('users', 'remove', '--email', email);
  for (const { code, stderr } of [demoted, removed]) {
    t.is(code, 1);
    t.regex(stderr, /^This is the last administrator/);
  }

  await tillhook('users', 'create', '--email', 'omar@example.com', '--merchant', id);
  t.is(
    (await tillhook('users', 'remove', '--email', email)).stderr,
    `${email} is removed and signed out everywhere.\n`,
  );
  t.false(await isSignedIn(cookie));
  const acts = 'select action, subject from audit_entry where merchant_id = $1 and user_email is null order by id';
  t.deepEqual(await server().database.query(acts, [id]), [
    { action: 'inviteMember', subject: email },
    { action: 'updateMember', subject: email },
    { action: 'createUser', subject: 'omar@example.com' },
    { action: 'removeMember', subject: email },
  ]);
});

test('the link of an invitation begins with PUBLIC_URL', async (t) => {
  const { id } = await server().createMerchant();
  const env = { DATABASE_URL: server().database.url, PUBLIC_URL: 'https://pay.example.com/shop/' };
  const invited = await runTillhook(env, 'users', 'invite', '--email', 'iris@example.com', '--merchant', id);
  t.true(invited.stdout.startsWith('https://pay.example.com/shop/dashboard/invitation?token='), invited.stdout);
});

test('a user with the role operator needs no --merchant when there are several merchants', async (t) => {
  // The test does not use the shared server: its oldest merchant belongs to another test, and the new user would
  // appear in the audit log of that merchant.
  const own = await startServer(t, usualSettings);
  const run = (...args: string[]) => runTillhook({ DATABASE_URL: own.database.url }, ...args);
  await own.createMerchant();
  await own.createMerchant();

  const merchant = await run('users', 'create', '--email', 'mia@example.com');
  const operator = await run('users', 'create', '--email', 'olga@example.com', '--role', 'operator');

  t.is(merchant.code, 1);
  t.is(operator.code, 0, operator.stderr);
  t.true((await postSession(own, { email: 'olga@example.com', password: operator.stdout.trim() })).ok);
});

test('two-step sign-in can be required for a merchant and made optional again, and removed from a user who lost the device', async (t) => {
  const { id } = await server().createMerchant('Emil and Sons');
  await tillhook('users', 'create', '--email', 'emil@example.com', '--merchant', id);
  await server().arrange('turnTwoStepOn', { email: 'emil@example.com' });
  const shown = async () =>
    (await tillhook('users', 'list', '--merchant', id)).stdout.split('\n')[1]?.split(/ {2,}/).at(-2);

  t.is((await tillhook('users', 'require-two-step', '--merchant', id)).code, 0);
  t.is(await shown(), 'on');
  t.is((await tillhook('users', 'remove-two-step', '--email', 'EMIL@example.com')).code, 0);
  t.is(await shown(), 'off, required');
  t.is((await tillhook('users', 'require-two-step', '--merchant', id, '--off')).code, 0);
  t.is(await shown(), 'off');

  const acts = 'select action, subject from audit_entry where merchant_id = $1 order by id';
  t.deepEqual((await server().database.query(acts, [id])).slice(1), [
    { action: 'requireTwoStep', subject: null },
    { action: 'removeTwoStep', subject: 'EMIL@example.com' },
    { action: 'stopRequiringTwoStep', subject: null },
  ]);
});

test('the list of users counts their passkeys, and an operator removes the passkeys of a user', async (t) => {
  const ada = await addPasskey(await signInWithPasskey(server()));
  const shown = async () => (await tillhook('users', 'list', '--merchant', ada.merchant.id)).stdout;

  t.regex(await shown(), / 2$/m);
  const { code, stderr } = await tillhook('users', 'remove-passkeys', '--email', ada.email);
  t.is(code, 0, stderr);
  t.is(stderr, `${ada.email} signs in with the password.\n`);
  t.regex(await shown(), / 0$/m);
  const answer = ada.authenticator.sign(await beginSignIn(server()));
  t.is((await postAssertion(server(), answer)).status, 401);
  const entries = 'select action, subject from audit_entry where merchant_id = $1 order by id desc limit 1';
  t.deepEqual(await server().database.query(entries, [ada.merchant.id]), [
    { action: 'removePasskeys', subject: ada.email },
  ]);
});

test('a new transfer fee applies to later transfers, and the list of merchants and the audit log show it', async (t) => {
  const merchant = await fundedMerchant(server());
  const begin = (reference: string) =>
    merchant.client.transfers.create({ reference, amount: 100, recipient: recipient() });
  const { fee: before } = await begin('payout-1');

  const { code, stderr, stdout } = await tillhook('merchants', 'set-fee', merchant.id, '--amount', '25');

  t.is(code, 0, stderr);
  t.is(stdout, '');
  t.is(stderr, 'Each transfer of Test Store costs NGN 0.25 from now on.\n');
  t.deepEqual([before, (await begin('payout-2')).fee], [0, 25]);
  t.is((await merchant.client.transfers.get('payout-1')).fee, 0);
  t.regex(
    (await tillhook('merchants', 'list')).stdout,
    new RegExp(`^${merchant.id}  Test Store +NGN +NGN 0\\.25 +active$`, 'm'),
  );
  const acts = 'select action, mode, user_email from audit_entry where merchant_id = $1';
  t.deepEqual(await server().database.query(acts, [merchant.id]), [
    { action: 'setTransferFee', mode: null, user_email: null },
  ]);
});

test('the transfer fee of a new merchant is 0, and the maximum fee is stored exactly', async (t) => {
  const made = await tillhook('merchants', 'create', '--name', 'Ada and Sons', '--currency', 'KES', '--json');
  const { id, transferFee } = JSON.parse(made.stdout);

  const changed = await tillhook('merchants', 'set-fee', id, '--amount', '999999999999', '--json');

  t.is(transferFee, 0);
  t.like(JSON.parse(changed.stdout), { id, transferFee: 999_999_999_999 });
});

test('setting the transfer fee of an unknown merchant prints one line and exits with 1', async (t) => {
  const id = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

  const { code, stderr } = await tillhook('merchants', 'set-fee', id, '--amount', '1');

  t.is(code, 1);
  t.is(stderr, `There is no merchant ${id}\n`);
});

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

test('the command for a new key prints only the key to stdout, and the key works', async (t) => {
  const { id } = await server().createMerchant('Ada and Sons');

  const { code, stdout, stderr } = await tillhook('keys', 'create', '--mode', 'test', '--merchant', id);

  t.is(code, 0);
  t.regex(stdout, /^sk_test_[0-9A-Za-z]{38}\n$/);
  t.regex(stderr, /^This test key of Ada and Sons may do everything\./);
  t.is((await call(stdout.trim())).status, 200);
});

test('control characters in the name of a merchant are replaced in messages on stderr', async (t) => {
  const { id } = await server().createMerchant();
  await server().database.query('update merchant set name = $2 where id = $1', [id, 'Ada\u001b[2J\u202eevil\nowned']);

  const { stderr } = await tillhook('keys', 'create', '--mode', 'test', '--merchant', id);

  t.regex(stderr, /^This test key of Ada�\[2J�evil\nowned may do everything\./);
});

test('a key has the scopes with which it was created, without duplicates', async (t) => {
  const { id: merchantId } = await server().createMerchant();

  const scopes = ['--scopes', 'payments:read, webhooks:read,payments:read'];
  const { id, key } = await createKey(merchantId, ...scopes);

  const rows = await server().database.query('select scopes, mode from api_key where id = $1', [id]);
  t.deepEqual(rows, [{ scopes: ['payments:read', 'webhooks:read'], mode: 'test' }]);
  t.is((await call(key)).status, 200);
});

test('a revoked key is refused immediately', async (t) => {
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

test('a key that is rolled without an overlap ends immediately and cannot be rolled again', async (t) => {
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

test('calls with the keys of a suspended merchant get 403 until the merchant is resumed', async (t) => {
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

test('a key and its successor have the same name, and the audit log shows the commands that the operator ran', async (t) => {
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

test('`keys list` shows the status of each key, and no complete key', async (t) => {
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
