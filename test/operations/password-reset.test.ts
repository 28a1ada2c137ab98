import { type Context, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { passwordResetMails } from '@tillhook/server/src/people/account/password-reset.service.ts';
import { operations } from '@tillhook/server/src/start/operations.ts';
import test from 'ava';
import { noteStatements } from '../database/noted-statements.ts';
import { eventually } from '../support/eventually.ts';
import { linkIn, startMailServer } from '../support/mail/mail-server.ts';
import { ownServerForFile, serverForFile, type TestServer, usualSettings } from '../support/server/tillhook.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { auditOf, errorIn, postSession, type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';
import { addUser, password } from '../support/users/users.ts';

const mails = await startMailServer();
test.after.always(() => mails[Symbol.asyncDispose]());
const settings = { MAIL_URL: mails.url, MAIL_FROM: 'Tillhook <tillhook@example.com>' };
const server = ownServerForFile(settings);
const withoutMails = serverForFile(usualSettings);
const limited = serverForFile({
  ...settings,
  TRUST_PROXY: '1',
  RATE_LIMITS: 'reset_email:3/10000,reset_network:4/10000',
});

const newPassword = 'a longer one than before';

function post(to: TestServer, path: string, json: object, headers: Record<string, string> = {}) {
  return to.request(`/api/v1/dashboard/password-reset${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });
}

const fresh = () => withFreshEntityManager(server().context);
const request = (email: string) => post(server(), '/request', { email });
const reset = (token: string, typed = newPassword) => post(server(), '', { token, password: typed });

test('requestPasswordReset 200 sends a link to the user, and resetPassword 200 sets the new password by it', async (t) => {
  const ada = await signIn(server());

  const requested = await request(ada.email);

  t.is(requested.status, 200);
  const { email, expiresAt } = await requested.json();
  t.is(email, ada.email);
  t.true(Math.abs(Date.parse(expiresAt) - Date.now() - 30 * 60_000) < 60_000);
  const link = await linkTo(ada.email);
  t.is(link.origin + link.pathname, `${server().url}/dashboard/reset-password`);
  const response = await reset(link.searchParams.get('token') ?? '');
  t.is(response.status, 200);
  t.is(response.headers.get('set-cookie'), null);
  t.deepEqual(await response.json(), { email: ada.email });
  t.is((await ada.call('/api/v1/dashboard/session')).status, 401);
  t.deepEqual(await errorIn(await postSession(server(), { email, password })), [401, 'invalid_credentials']);
  t.is((await postSession(server(), { email, password: newPassword })).status, 200);
  await eventually(() => mails.received.filter(({ recipient }) => recipient === email).length, 2);
  t.regex(mails.received.findLast(({ recipient }) => recipient === email)?.source ?? '', /Your password was reset/);
});

test('resetPassword 200 writes an audit entry in the name of the user', async (t) => {
  const ada = await signIn(server());

  await reset(await addResetLink(server(), ada.email));

  const other = await signIn(server(), ada.merchant);
  const [, entry] = await auditOf(other);
  t.like(entry, { action: 'resetPassword', subject: null, actor: { type: 'user', email: ada.email } });
});

test('resetPassword 200 and the request before it send mails with times in the time zone of the user', async (t) => {
  const { email } = await signIn(server());
  await server().database.query(`update dashboard_user set time_zone = 'Asia/Tokyo' where email = $1`, [email]);
  await request(email);
  await reset((await linkTo(email)).searchParams.get('token') ?? '');

  const sources = () => mails.received.filter(({ recipient }) => recipient === email).map(({ source }) => source);
  await eventually(() => sources().length, 2);
  t.regex(sources()[0] ?? '', /Valid until: \d.* GMT\+9/);
  t.regex(sources()[1] ?? '', /Time: \d.* GMT\+9/);
});

test('requestPasswordReset 200 has the same answer and makes the same statements for an unknown address, which gets no mail', async (t) => {
  const { email: known } = await signIn(server());
  const unknown = known.replace('Ada', 'Eve');
  const answers = [await (await request(known)).json(), await (await request(unknown)).json()];
  t.deepEqual(
    answers.map(({ email, expiresAt, ...others }) => [email, typeof expiresAt, others]),
    [known, unknown].map((email) => [email, 'string', {}]),
  );
  await eventually(() => statusOf(unknown), 'dropped');
  t.deepEqual(
    mails.received.filter(({ recipient }) => recipient === unknown),
    [],
  );

  const noting = await noteStatements(server().database.url);
  t.teardown(() => noting.orm.close());
  await noting.orm.em.getConnection().execute('select 1');
  const made: string[][] = [];
  for (const email of [known, unknown]) {
    const context = { ...server().context, em: noting.orm.em.fork() } as Context;
    const call = { id: 'requestPasswordReset', key: null } as never;
    const work = () =>
      operations.requestPasswordReset.run(context, { path: {}, query: {}, body: { email } } as never, call);
    made.push((await noting.statements(work, /./)).map(({ text }) => text));
  }
  t.deepEqual(made[1], made[0]);
  t.deepEqual(
    made[0]?.flatMap((text) => /insert into (\w+)/.exec(text)?.[1] ?? []),
    ['password_reset', 'mail'],
  );
});

test('requestPasswordReset 200 sends the mail also to an address in other case, with its domain in ASCII', async (t) => {
  const merchant = await server().createMerchant();
  const name = `ada-${newId()}`;
  await changeEmail(await addUser(server(), merchant), `${name}@straße.example`);

  await request(`${name.toUpperCase()}@STRA\u1E9EE.example`);

  t.truthy(await linkTo(`${name}@straße.example`));
  const sent = 'select from mail where recipient = $1';
  t.is((await server().database.query(sent, [`${name.toUpperCase()}@xn--strae-oqa.example`])).length, 1);
});

test('requestPasswordReset 200 for an address whose domain is written in full-width letters, and a new password ends its link', async (t) => {
  const ada = await signIn(server());
  const written = ada.email.replace(/\.example$/, '.ｅｘａｍｐｌｅ');

  t.is((await request(written)).status, 200);

  const url = await linkTo(ada.email);
  await changePassword(ada);
  const token = url.searchParams.get('token') ?? '';
  t.deepEqual(await errorIn(await reset(token)), [409, 'invalid_link']);
});

test('a link is sent to no other mailbox, even if its address in lower case is that of a user', async (t) => {
  const email = `kate-${newId()}@example.com`;
  const kelvin = email.replace('k', '\u212A');
  t.is(kelvin.toLowerCase(), email);
  await changeEmail(await addUser(server(), await server().createMerchant()), email);
  const render = (recipient: string) => {
    const mail = { recipient, status: 'pending', createdAt: new Date() };
    const values = { token: 'token', email: recipient };
    return passwordResetMails.password_reset_link?.(fresh(), values as never, mail as never);
  };

  t.is(await render(kelvin), null);
  t.truthy(await render(email.toUpperCase()));
});

const refused: [situation: string, email: string][] = [
  ['has 300 characters', `${'a'.repeat(288)}@example.com`],
  ['has a line break', 'ada@example.com\r\nBcc: eve@example.com'],
  ['has a second address', 'ada@example.com,eve@example.com'],
  ['has a letter of another script before the @', '\u212Aate@example.com'],
  ['has a sign that reverses the text', 'ada\u202E@example.com'],
  ['has no @', 'ada'],
  ['is empty', ''],
];

for (const [situation, email] of refused) {
  test(`requestPasswordReset 400 when the email ${situation}`, async (t) => {
    const response = await request(email);

    t.is(response.status, 400);
    t.is((await response.json()).error.param, 'email');
  });
}

test('requestPasswordReset 409 when the service sends no mails, and no link is created', async (t) => {
  const email = await addUser(withoutMails(), await withoutMails().createMerchant());

  const response = await post(withoutMails(), '/request', { email });

  t.deepEqual(await errorIn(response), [409, 'password_reset_off']);
  t.deepEqual(await withoutMails().database.query('select from password_reset'), []);
});

test('resetPassword 409 when the link was used, is older than 30 minutes, is unknown, or its user was removed', async (t) => {
  const merchant = await server().createMerchant();
  const [email, removed] = [await addUser(server(), merchant), await addUser(server(), merchant)];
  const used = await addResetLink(server(), email);
  t.is((await reset(used)).status, 200);
  const ofRemoved = await addResetLink(server(), removed);
  await server().database.query('delete from dashboard_user where email = $1', [removed]);
  const messages = new Set<string>();

  for (const token of [used, await addResetLink(server(), email, { ageMinutes: 31 }), 'unknown', ofRemoved]) {
    const response = await reset(token, 'yet another long one');

    t.is(response.status, 409);
    const { error, message } = await response.json();
    t.is(error.code, 'invalid_link');
    messages.add(message);
  }
  t.is(messages.size, 1);
  t.is((await postSession(server(), { email, password: newPassword })).status, 200);
  t.is((await reset(await addResetLink(server(), email, { ageMinutes: 29 }))).status, 200);
});

test('resetPassword 409 for all but one of the calls that send one token at the same moment', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  const token = await addResetLink(server(), email);
  const passwords = Array.from({ length: 4 }, (_, index) => `a long password number ${index}`);

  const responses = await Promise.all(passwords.map((typed) => reset(token, typed)));

  const statuses = responses.map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [200, 409, 409, 409]);
  const set = passwords[statuses.indexOf(200)];
  t.is((await postSession(server(), { email, password: set })).status, 200);
});

test('resetPassword 409 for the other links of the user after one was used, and after the user changed the password', async (t) => {
  const ada = await signIn(server());
  const [first, second] = [
    await addResetLink(server(), ada.email),
    await addResetLink(server(), ada.email.toUpperCase()),
  ];
  const ofOther = await addResetLink(server(), await addUser(server(), ada.merchant));
  t.is((await reset(second)).status, 200);
  t.is((await reset(first)).status, 409);

  const grace = await signIn(server(), ada.merchant);
  const left = await addResetLink(server(), grace.email);
  await changePassword(grace);
  t.is((await reset(left)).status, 409);

  t.is((await reset(ofOther)).status, 200);
});

test('resetPassword 200 keeps two-step sign-in on', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.is((await reset(await addResetLink(server(), ada.email))).status, 200);

  const typed = { email: ada.email, password: newPassword };
  t.deepEqual(await errorIn(await postSession(server(), typed)), [401, 'two_step_required']);
  t.is((await postSession(server(), { ...typed, code: codeOf(ada.secret) })).status, 200);
});

test('resetPassword 200 while the merchant is suspended, but the user still cannot sign in', async (t) => {
  const merchant = await server().createMerchant();
  const email = await addUser(server(), merchant);
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);

  t.is((await reset(await addResetLink(server(), email))).status, 200);

  const signingIn = await postSession(server(), { email, password: newPassword });
  t.deepEqual(await errorIn(signingIn), [403, 'merchant_suspended']);
});

test('resetPassword 400 when the password is too short or the token is malformed, and the link still works', async (t) => {
  const token = await addResetLink(server(), await addUser(server(), await server().createMerchant()));

  const short = await reset(token, 'short');
  const malformed = await reset(`${token}"`);

  t.like((await short.json()).error, { code: 'invalid_parameter', param: 'password' });
  t.like((await malformed.json()).error, { code: 'invalid_parameter', param: 'token' });
  t.deepEqual([short.status, malformed.status], [400, 400]);
  t.is((await reset(token)).status, 200);
});

test('requestPasswordReset and resetPassword 403 for a request from a page of another site', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  const token = await addResetLink(server(), email);
  const headers = { 'sec-fetch-site': 'cross-site' };

  const responses = [
    await post(server(), '/request', { email }, headers),
    await post(server(), '', { token, password: newPassword }, headers),
  ];

  for (const response of responses) t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
});

const from = (address: string, path: string, json: object) =>
  post(limited(), path, json, { 'x-forwarded-for': address });

test('requestPasswordReset 429 for an address that gets many requests, however it is written and from whatever network', async (t) => {
  const email = await addUser(limited(), await limited().createMerchant());
  const written = [email, email.toUpperCase(), email.toLowerCase()];

  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      from(`198.51.100.${index}`, '/request', { email: written[index % written.length] }),
    ),
  );

  t.is(responses.filter(({ status }) => status === 200).length, 3);
  const last = responses.find(({ status }) => status === 429);
  t.true(Number(last?.headers.get('retry-after')) > 1000);
  const rows = await limited().database.query('select from mail where lower(recipient) = lower($1)', [email]);
  t.is(rows.length, 3);
});

test('requestPasswordReset and resetPassword 429 for a network that sends many requests or tokens', async (t) => {
  const network = '203.0.113.5';
  const unknown = { token: 'unknown', password: newPassword };
  const statuses = [
    await from(network, '/request', { email: `${newId()}@example.com` }),
    await from(network, '', unknown),
    await from(network, '/request', { email: `${newId()}@example.com` }),
    await from(network, '', unknown),
    await from(network, '/request', { email: `${newId()}@example.com` }),
    await from(network, '', unknown),
  ].map(({ status }) => status);

  t.deepEqual(statuses, [200, 409, 200, 409, 429, 429]);
  t.is((await from('203.0.113.6', '', unknown)).status, 409);
});

async function linkTo(email: string): Promise<URL> {
  const found = await eventually(
    () => mails.received.find(({ recipient }) => recipient.toLowerCase() === email.toLowerCase()),
    (mail) => mail !== undefined,
  );
  return linkIn(found?.source ?? '');
}

async function statusOf(recipient: string): Promise<string | undefined> {
  const query = 'select status from mail where recipient = $1';
  return (await server().database.query<{ status: string }>(query, [recipient]))[0]?.status;
}

async function changeEmail(from: string, to: string): Promise<void> {
  await server().database.query('update dashboard_user set email = $2 where email = $1', [from, to]);
}

function changePassword({ call }: SignedIn) {
  return call('/api/v1/dashboard/password', { method: 'POST', json: { password, newPassword } });
}
