import test from 'ava';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { cookieOf, postSession, refusalIn } from '../support/users/session.ts';

const server = serverForFile();

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

/** The cookie of a new session; undefined when the password is wrong. */
async function signIn(email: string, password: string): Promise<string | undefined> {
  const response = await postSession(server(), { email, password });
  return response.ok ? cookieOf(response) : undefined;
}

async function isSignedIn(cookie: string): Promise<boolean> {
  const headers = { cookie, 'x-service-mode': 'test' };
  const response = await server().request('/api/v1/dashboard/session', { headers });
  return response.status === 200;
}

test('a new user signs in with the password that was printed, until it is reset', async (t) => {
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
  t.deepEqual(await refusalIn(await postSession(server(), { email, password })), [403, 'merchant_suspended']);
  const acts = 'select action, subject from audit_entry where merchant_id = $1 order by id';
  t.deepEqual(await server().database.query(acts, [id]), [
    { action: 'createUser', subject: email },
    { action: 'signIn', subject: null },
    { action: 'suspendMerchant', subject: null },
  ]);
});

test('an email in use, and an unknown email, give one line and exit 1', async (t) => {
  const { id } = await server().createMerchant();
  await tillhook('users', 'create', '--email', 'bob@example.com', '--merchant', id);

  const again = await tillhook('users', 'create', '--email', 'BOB@example.com', '--merchant', id);
  const nobody = await tillhook('users', 'reset-password', '--email', 'nobody@example.com');

  t.deepEqual([again.code, nobody.code], [1, 1]);
  t.is(again.stderr, 'email BOB@example.com is in use already\n');
  t.is(nobody.stderr, 'There is no user nobody@example.com\n');
});

test('a user whose email has a letter outside ASCII before the @, as was possible once, gets a new password', async (t) => {
  const { id } = await server().createMerchant();
  const email = 'müller@example.com';
  await tillhook('users', 'create', '--email', 'muller@example.com', '--merchant', id);
  await server().database.query("update dashboard_user set email = $1 where email = 'muller@example.com'", [email]);

  const reset = await tillhook('users', 'reset-password', '--email', email);

  t.is(reset.code, 0, reset.stderr);
  t.is((await tillhook('users', 'remove-two-step', '--email', email)).code, 0);
  t.not((await tillhook('users', 'create', '--email', email, '--merchant', id)).code, 0);
});

test('the email of the demo merchant is refused, because the home page takes its checkouts without a key', async (t) => {
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
  t.regex(stderr, /^There is more than one merchant: name one with --merchant/);
});

test('a user has the role of --role, merchant by default, and the list shows it', async (t) => {
  const { id } = await server().createMerchant('Dora and Sons');
  const add = (email: string, ...more: string[]) =>
    tillhook('users', 'create', '--email', email, '--merchant', id, '--json', ...more);

  const made = [await add('dora@example.com'), await add('vera@example.com', '--role', 'viewer')];
  const wrong = await add('olaf@example.com', '--role', 'owner');
  const list = await tillhook('users', 'list', '--merchant', id);

  t.deepEqual(
    made.map(({ stdout }) => JSON.parse(stdout).role),
    ['merchant', 'viewer'],
  );
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /Allowed choices are merchant, viewer, operator/);
  t.regex(
    list.stdout,
    /^dora@example\.com +merchant +Dora and Sons +off\nvera@example\.com +viewer +Dora and Sons +off$/m,
  );
});

test('a user who is an operator needs no --merchant when there are several', async (t) => {
  await server().createMerchant();
  await server().createMerchant();

  const merchant = await tillhook('users', 'create', '--email', 'mia@example.com');
  const operator = await tillhook('users', 'create', '--email', 'olga@example.com', '--role', 'operator');

  t.is(merchant.code, 1);
  t.is(operator.code, 0, operator.stderr);
  t.truthy(await signIn('olga@example.com', operator.stdout.trim()));
});

test('two-step sign-in can be required and no longer required, and removed from a user who lost the device', async (t) => {
  const { id } = await server().createMerchant('Emil and Sons');
  await tillhook('users', 'create', '--email', 'emil@example.com', '--merchant', id);
  await server().arrange('turnTwoStepOn', { email: 'emil@example.com' });
  const shown = async () =>
    (await tillhook('users', 'list', '--merchant', id)).stdout.split('\n')[1]?.split(/ {2,}/).at(-1);

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

test('a new fee is charged from now on, and shown in the list and in the audit log', async (t) => {
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

test('the fee of a new merchant is 0, and the largest is exact', async (t) => {
  const made = await tillhook('merchants', 'create', '--name', 'Ada and Sons', '--currency', 'KES', '--json');
  const { id, transferFee } = JSON.parse(made.stdout);

  const changed = await tillhook('merchants', 'set-fee', id, '--amount', '999999999999', '--json');

  t.is(transferFee, 0);
  t.like(JSON.parse(changed.stdout), { id, transferFee: 999_999_999_999 });
});

test('a fee for an unknown merchant gives one line and exit 1', async (t) => {
  const id = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

  const { code, stderr } = await tillhook('merchants', 'set-fee', id, '--amount', '1');

  t.is(code, 1);
  t.is(stderr, `There is no merchant ${id}\n`);
});
