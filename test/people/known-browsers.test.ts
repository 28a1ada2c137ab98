import { randomBytes } from 'node:crypto';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail/mail-server.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { postSession } from '../support/users/session.ts';
import { addUser, password } from '../support/users/users.ts';

const mails = await startMailServer();
test.after.always(() => mails[Symbol.asyncDispose]());
const server = serverForFile({ MAIL_URL: mails.url, MAIL_FROM: 'Tillhook <tillhook@example.com>', TRUST_PROXY: '1' });

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Signs in and returns the cookie by which the service knows the browser from then on. */
async function signInWith(email: string, cookie = ''): Promise<string> {
  const headers = { 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7', ...(cookie && { cookie }) };
  const response = await postSession(server(), { email, password }, headers);
  if (response.status !== 200) throw new Error(`The sign-in was answered ${response.status}.`);
  const [, set = ''] = response.headers.getSetCookie();
  return set.split(';')[0] ?? '';
}

const newUser = async () => addUser(server(), await server().createMerchant());

const writtenTo = async (email: string) =>
  (await server().database.query(`select from mail where recipient = $1 and kind = 'new_browser'`, [email])).length;

test('signIn 200 in a browser that the user has not used before sends a mail with browser and address, but not for the first browser', async (t) => {
  const email = await newUser();

  const first = await signInWith(email);
  t.is(await signInWith(email, first), first);
  t.is(await writtenTo(email), 0);

  const second = await signInWith(email);
  t.not(second, first);
  t.is(await writtenTo(email), 1);
  await signInWith(email, second);
  await signInWith(email, first);
  t.is(await writtenTo(email), 1);
  const mail = await eventually(
    () => mails.received.find(({ recipient }) => recipient.toLowerCase() === email.toLowerCase()),
    (found) => found !== undefined,
  );
  for (const text of [/Subject: A new browser signed in/, /Browser: Firefox 145 on Linux/, /Address: 203\.0\.113\.7/])
    t.regex(mail?.source ?? '', text);
});

test('signIn 200 in the browser of another user sends no mail for the first sign-in, and later one for a further browser', async (t) => {
  const [ada, grace] = [await newUser(), await newUser()];
  const shared = await signInWith(ada);

  t.is(await signInWith(grace, shared), shared);
  t.is(await writtenTo(grace), 0);
  const hashes = await server().database.query(
    'select distinct token_hash from known_browser join dashboard_user on id = user_id where email in ($1, $2)',
    [ada, grace],
  );
  t.is(hashes.length, 2, 'no row tells that the users share a browser');

  await signInWith(grace);
  t.is(await writtenTo(grace), 1);
});

test('signIn 200 sets a cookie that scripts cannot read and that lasts 400 days, and replaces a malformed one', async (t) => {
  const headers = { cookie: 'tillhook_browser=abc' };

  const response = await postSession(server(), { email: await newUser(), password }, headers);

  const [, set = ''] = response.headers.getSetCookie();
  t.regex(set, /^tillhook_browser=[\w-]{43};/);
  for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', `Max-Age=${400 * 24 * 3600}`])
    t.true(set.split('; ').includes(attribute), attribute);
});

test('signIn 200 keeps the twenty browsers of the user that were used last, for 400 days', async (t) => {
  const email = await newUser();
  const mine = await signInWith(email);
  const { database } = server();
  const add = (days: number) =>
    database.query(
      `insert into known_browser (user_id, token_hash, seen_at)
       select id, $2, now() - make_interval(days => $3) from dashboard_user where email = $1`,
      [email, randomBytes(32), days],
    );
  for (let days = 1; days <= 21; days += 1) await add(days);
  const daysKnown = async () => {
    const rows = await database.query<{ days: number }>(
      `select (extract(epoch from now() - seen_at) / 86400)::int as days from known_browser
       where user_id = (select id from dashboard_user where email = $1) order by seen_at desc`,
      [email],
    );
    return rows.map(({ days }) => days);
  };

  await signInWith(email, mine);
  t.deepEqual(
    await daysKnown(),
    Array.from({ length: 20 }, (_, index) => index),
  );

  await database.query(
    `update known_browser set seen_at = now() - interval '401 days'
     where user_id = (select id from dashboard_user where email = $1)`,
    [email],
  );
  await signInWith(email, mine);
  t.is(await writtenTo(email), 0, 'the user has no known browser, so this is the first');
  t.deepEqual(await daysKnown(), [0]);
});
