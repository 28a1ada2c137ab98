import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import type { AppError } from '@tillhook/server/src/kit/errors.ts';
import { openSession } from '@tillhook/server/src/people/sessions/dashboard-session.service.ts';
import { findDashboardUser } from '@tillhook/server/src/people/sessions/dashboard-users.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { serverForFile, serverWithContext } from '../support/server/tillhook.ts';
import { cookieOf, errorIn, postSession, signIn } from '../support/users/session.ts';
import { addUser, password } from '../support/users/users.ts';

const server = serverWithContext();
const weekMs = 7 * 24 * 3_600_000;

test('signIn 200 returns the user and the end of the session', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const email = await addUser(server(), merchant);

  const response = await postSession(server(), { email, password });

  t.is(response.status, 200);
  const { user, merchant: employer, createdAt, expiresAt } = await response.json();
  t.is(user.email, email);
  t.deepEqual(employer, { id: merchant.id, name: 'Ada’s Books', currency: 'NGN' });
  t.is(Date.parse(expiresAt) - Date.parse(createdAt), weekMs);
});

test('signIn 200 has the token only in the cookie, which scripts cannot read', async (t) => {
  const email = await addUser(server(), await server().createMerchant());

  const response = await postSession(server(), { email, password });

  const [pair = '', ...attributes] = response.headers.get('set-cookie')?.toLowerCase().split('; ') ?? [];
  const [name, token = ''] = pair.split('=');
  t.is(name, 'tillhook_session');
  t.true(token.length >= 20);
  for (const attribute of ['httponly', 'samesite=lax', 'max-age=604800', 'path=/']) {
    t.true(attributes.includes(attribute), attribute);
  }
  t.false((await response.text()).toLowerCase().includes(token));
});

test('signIn 200 for an email in any case, and for a request from a page of the same site', async (t) => {
  const email = await addUser(server(), await server().createMerchant());

  for (const typed of [email.toLowerCase(), email.toUpperCase()]) {
    const { status } = await postSession(server(), { email: typed, password }, { 'sec-fetch-site': 'same-origin' });

    t.is(status, 200);
  }
});

test('signIn 200 begins a new session every time, even if the user already has a session', async (t) => {
  const { call, email, cookie } = await signIn(server());

  const again = await postSession(server(), { email, password }, { cookie });

  t.is(again.status, 200);
  t.not(cookieOf(again), cookie);
  t.is((await call('/api/v1/dashboard/session')).status, 200);
});

test('signIn 403 when the merchant is suspended, and no session is begun', async (t) => {
  const merchant = await server().createMerchant();
  const email = await addUser(server(), merchant);
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);

  const response = await postSession(server(), { email, password });

  t.deepEqual(await errorIn(response), [403, 'merchant_suspended']);
  t.is(response.headers.get('set-cookie'), null);
});

test('signIn 401 when the password is replaced while the server checks it, and no session is begun', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  const { context, database } = server();
  const user = await findDashboardUser(withFreshEntityManager(context), { email, password });
  await database.query(`update dashboard_user set password_hash = 'scrypt$$' where email = $1`, [email]);

  const opening = inTransaction(withFreshEntityManager(context), (tx) => openSession(tx, user as never));

  t.is((await t.throwsAsync<AppError>(opening)).code, 'invalid_credentials');
  t.deepEqual(
    await database.query(
      'select from dashboard_session join dashboard_user on dashboard_user.id = user_id where email = $1',
      [email],
    ),
    [],
  );
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['the email is missing', { password }, 'missing_parameter', 'email'],
  ['the email is empty', { email: '', password }, 'invalid_parameter', 'email'],
  ['the password is missing', { email: 'ada@example.com' }, 'missing_parameter', 'password'],
  ['the password is empty', { email: 'ada@example.com', password: '' }, 'invalid_parameter', 'password'],
  ['the password is a number', { email: 'ada@example.com', password: 7 }, 'invalid_parameter', 'password'],
  [
    'the password is too long',
    { email: 'ada@example.com', password: 'a'.repeat(257) },
    'invalid_parameter',
    'password',
  ],
  ['a field is unknown', { email: 'ada@example.com', password, remember: true }, 'unknown_parameter', 'remember'],
];

for (const [situation, body, code, param] of refused) {
  test(`signIn 400 when ${situation}`, async (t) => {
    const response = await postSession(server(), body);

    t.is(response.status, 400);
    t.is(response.headers.get('set-cookie'), null);
    t.like((await response.json()).error, { code, param });
  });
}

test('signIn 401 with the same answer for a wrong password and for an unknown email', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  const messages = new Set<string>();

  for (const typed of [
    { email, password: `${password}.` },
    { email, password: password.toUpperCase() },
    { email: 'nobody@example.com', password },
  ]) {
    const response = await postSession(server(), typed);

    t.is(response.status, 401);
    t.is(response.headers.get('set-cookie'), null);
    const { error, message } = await response.json();
    t.is(error.code, 'invalid_credentials');
    messages.add(message);
  }
  t.is(messages.size, 1);
});

test('signIn 403 for a request from a page of another site, which could sign its visitor in as another user', async (t) => {
  const email = await addUser(server(), await server().createMerchant());

  const response = await postSession(server(), { email, password }, { 'sec-fetch-site': 'cross-site' });

  t.is(response.headers.get('set-cookie'), null);
  t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
});

// All tests below share one server and its limits, so each test uses network addresses that no other test uses.
const limited = serverForFile({ RATE_LIMITS: 'sign_in:3/10000,password:2/10000', TRUST_PROXY: '1' });

function signInFrom(address: string, email: string, typed = password) {
  return postSession(limited(), { email, password: typed }, { 'x-forwarded-for': address });
}

async function newUser(): Promise<string> {
  return addUser(limited(), await limited().createMerchant());
}

test('signIn 200 for the right password, any number of times from one address', async (t) => {
  const email = await newUser();
  const left: (string | undefined)[] = [];

  for (let call = 0; call < 5; call++) {
    const response = await signInFrom('198.51.100.1', email);
    t.is(response.status, 200);
    left.push(response.headers.get('ratelimit')?.split(';t=')[0]);
  }

  t.deepEqual(left, Array(5).fill('"password";r=2'));
});

test('signIn 200 for a user while a client at another IP address guesses passwords for the same email', async (t) => {
  const email = await newUser();
  const stranger: number[] = [];

  for (const typed of ['wrong', 'worse', password]) {
    stranger.push((await signInFrom('198.51.100.2', email, typed)).status);
  }

  t.deepEqual(stranger, [401, 401, 429]);
  t.is((await signInFrom('203.0.113.2', email)).status, 200);
});

test('signIn 200 after as many concurrent calls with the right password as guesses are allowed', async (t) => {
  const emails = [await newUser(), await newUser(), await newUser()];

  const statuses = await Promise.all(emails.map(async (email) => (await signInFrom('198.51.100.3', email)).status));

  t.deepEqual(statuses, [200, 200, 200]);
  t.is((await signInFrom('198.51.100.3', emails[0] ?? '')).status, 200);
});

test('signIn 429 for an address that a proxy writes with a different port each time, and not for another address', async (t) => {
  const statuses: number[] = [];

  for (const [port, name] of ['ada', 'bob', 'eve', 'joe'].entries()) {
    statuses.push((await signInFrom(`198.51.100.77:5210${port}`, `${name}@example.com`, 'guess')).status);
  }

  t.deepEqual(statuses, [401, 401, 401, 429]);
  t.is((await signInFrom('203.0.113.77:52100', 'ada@example.com', 'guess')).status, 401);
});

test('signIn 429 for an address that sends guesses for many emails, and not for another address', async (t) => {
  const statuses: number[] = [];

  for (const name of ['ada', 'bob', 'eve', 'joe']) {
    statuses.push((await signInFrom('198.51.100.4', `${name}@example.com`, 'guess')).status);
  }

  t.deepEqual(statuses, [401, 401, 401, 429]);
  t.is((await signInFrom('203.0.113.4', 'ada@example.com', 'guess')).status, 401);
});

test('signIn 429 for all concurrent guesses above the limit, before their passwords are checked', async (t) => {
  const guesses = Array.from({ length: 10 }, (_, index) => `user${index}@example.com`);

  const responses = await Promise.all(guesses.map((email) => signInFrom('198.51.100.5', email, 'guess')));

  t.deepEqual(responses.map(({ status }) => status).sort(), [...Array(3).fill(401), ...Array(7).fill(429)]);
});

test('signIn 429 for an address after too many guesses, even with the right password', async (t) => {
  const email = await newUser();
  const statuses: number[] = [];

  for (const typed of ['wrong', 'worse', password]) {
    const response = await signInFrom('198.51.100.6', email, typed);
    statuses.push(response.status);
    if (response.status === 429) t.regex(response.headers.get('retry-after') ?? '', /^\d+$/);
  }

  t.deepEqual(statuses, [401, 401, 429]);
});
