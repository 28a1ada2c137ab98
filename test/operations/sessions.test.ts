import test, { type ExecutionContext } from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { type RefusedQuery, testRefusedQueries } from '../support/users/refused-queries.ts';
import {
  auditOf,
  cookieOf,
  errorIn,
  postSession,
  type SignedIn,
  signIn,
  userForFile,
} from '../support/users/session.ts';
import { addUser, password } from '../support/users/users.ts';

const server = serverForFile();

const getSession = ({ call }: SignedIn) => call('/api/v1/dashboard/session');

async function makeOlder({ email }: SignedIn, column: 'created_at' | 'last_seen_at', interval: string): Promise<void> {
  await server().database.query(
    `update dashboard_session set ${column} = now() - $2::interval
     where user_id = (select id from dashboard_user where email = $1)`,
    [email, interval],
  );
}

async function isOver(t: ExecutionContext, ada: SignedIn): Promise<void> {
  t.deepEqual(await errorIn(await getSession(ada)), [401, 'invalid_session']);
}

test('getSession 200 returns the session that signIn began, with either mode', async (t) => {
  const { call, session } = await signIn(server());

  for (const mode of ['test', 'live'] as const) {
    const response = await call('/api/v1/dashboard/session', { mode });

    t.is(response.status, 200);
    t.deepEqual(await response.json(), session);
  }
});

test('getSession 200 for a merchant name of the maximum length, and a merchant with a longer name cannot be created', async (t) => {
  const name = '📚'.repeat(120);
  const grace = await signIn(server(), await server().createMerchant(name));

  t.is((await (await getSession(grace)).json()).merchant.name, name);
  await t.throwsAsync(server().createMerchant(`${name}!`), { message: /name must not be longer than 120 characters/ });
});

test('getSession 200 returns to each of two users of one merchant their own email', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, grace] = [await signIn(server(), merchant), await signIn(server(), merchant)];

  t.is((await (await getSession(ada)).json()).user.email, ada.email);
  t.is((await (await getSession(grace)).json()).user.email, grace.email);
});

test('getSession 200 for a session that is used every twelve hours, because each use extends the session', async (t) => {
  const ada = await signIn(server());

  for (let visit = 0; visit < 3; visit++) {
    await makeOlder(ada, 'last_seen_at', '11 hours 59 minutes');
    t.is((await getSession(ada)).status, 200);
  }

  const [row] = await server().database.query(
    `select last_seen_at > now() - interval '1 hour' as fresh from dashboard_session
     where user_id = (select id from dashboard_user where email = $1)`,
    [ada.email],
  );
  t.true(row?.fresh);
});

test('getSession 401 after twelve idle hours', async (t) => {
  const ada = await signIn(server());

  await makeOlder(ada, 'last_seen_at', '12 hours');

  await isOver(t, ada);
});

test('getSession 401 a week after the sign-in, however often the session was used', async (t) => {
  const ada = await signIn(server());

  await makeOlder(ada, 'created_at', '7 days');

  await isOver(t, ada);
});

test('getSession 401 after the password was replaced', async (t) => {
  const ada = await signIn(server());

  await server().arrange('replacePassword', { email: ada.email, password: 'another one' });

  await isOver(t, ada);
});

test('getSession 401 for a cookie with an invalid value', async (t) => {
  for (const value of ['', 'x', 'j:{"a":1}', '%00', 'a'.repeat(2000)]) {
    const response = await server().request('/api/v1/dashboard/session', {
      headers: { cookie: `tillhook_session=${value}`, 'x-service-mode': 'test' },
    });

    t.is(response.headers.get('www-authenticate'), 'Cookie realm="tillhook", cookie-name="tillhook_session"');
    t.deepEqual(await errorIn(response), [401, 'invalid_session']);
  }
});

test('getSession 403 without X-Service-Mode, which a form of another site cannot send', async (t) => {
  const { call } = await signIn(server());

  const response = await call('/api/v1/dashboard/session', { mode: null });

  t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
});

const signOut = ({ call }: SignedIn, headers: Record<string, string> = {}) =>
  call('/api/v1/dashboard/session', { method: 'DELETE', headers });

const isSignedIn = async ({ call }: SignedIn) => (await call('/api/v1/dashboard/session')).status === 200;

test('signOut 200 returns the ended session, and removes the cookie', async (t) => {
  const ada = await signIn(server());

  const response = await signOut(ada);

  t.is(response.status, 200);
  t.deepEqual(await response.json(), ada.session);
  t.is(cookieOf(response), 'tillhook_session=');
  t.regex(response.headers.get('set-cookie') ?? '', /Max-Age=0|Expires=Thu, 01 Jan 1970/);
  t.regex(response.headers.get('set-cookie') ?? '', /Path=\/(;|$)/);
});

test('signOut 200 ends the session for every copy of the cookie', async (t) => {
  const ada = await signIn(server());

  await signOut(ada);

  t.deepEqual(await errorIn(await ada.call('/api/v1/payments')), [401, 'invalid_session']);
  t.deepEqual(await errorIn(await ada.call('/api/v1/dashboard/session')), [401, 'invalid_session']);
});

test('signOut 200 ends no other session of the same user, and no session of another user', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, grace] = [await signIn(server(), merchant), await signIn(server(), merchant)];
  const elsewhere = cookieOf(await postSession(server(), { email: ada.email, password: ada.password }));

  await signOut(ada);

  t.false(await isSignedIn(ada));
  t.true(await isSignedIn(grace));
  const { status } = await server().request('/api/v1/dashboard/session', {
    headers: { cookie: elsewhere, 'x-service-mode': 'live' },
  });
  t.is(status, 200);
});

test('signOut 401 when the session has ended already', async (t) => {
  const ada = await signIn(server());
  await signOut(ada);

  t.deepEqual(await errorIn(await signOut(ada)), [401, 'invalid_session']);
});

test('signOut 403 for a request from a page of another site, and the session does not end', async (t) => {
  const ada = await signIn(server());

  const response = await signOut(ada, { 'sec-fetch-site': 'cross-site' });

  t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
  t.true(await isSignedIn(ada));
});

const behindProxy = serverForFile({ TRUST_PROXY: '1' });
const path = '/api/v1/dashboard/sessions';
const sharedUser = userForFile(behindProxy);

async function signInFrom(email: string, address: string, browser: string) {
  const headers = { 'x-forwarded-for': address, 'user-agent': browser };
  return cookieOf(await postSession(behindProxy(), { email, password }, headers));
}

const list = async (cookie: string) => {
  const response = await behindProxy().request(path, { headers: { cookie, 'x-service-mode': 'test' } });
  return (await response.json()).sessions;
};

test('listSessions 200 lists the sessions of the user, newest first, with network address and browser', async (t) => {
  const email = await addUser(behindProxy(), await behindProxy().createMerchant());
  await signInFrom(email, '203.0.113.7', 'Firefox of a desk');
  const cookie = await signInFrom(email, '2001:db8::7', 'Safari of a telephone');

  const [telephone, desk, ...others] = await list(cookie);

  t.deepEqual(others, []);
  t.like(telephone, { address: '2001:db8::7', browser: 'Safari of a telephone', isCurrent: true });
  t.like(desk, { address: '203.0.113.7', browser: 'Firefox of a desk', isCurrent: false });
  t.is(Date.parse(desk.expiresAt) - Date.parse(desk.createdAt), 7 * 24 * 3_600_000);
  t.is(desk.lastSeenAt, desk.createdAt);
});

test('listSessions 200 lists the network address without the port and brackets that a proxy wrote', async (t) => {
  const email = await addUser(behindProxy(), await behindProxy().createMerchant());
  let cookie = '';
  for (const address of ['203.0.113.7:52100', '[2001:db8::7]:52100', 'unknown'])
    cookie = await signInFrom(email, address, 'Firefox');

  const addresses = (await list(cookie)).map(({ address }: { address: string }) => address);

  t.deepEqual(addresses, ['127.0.0.1', '2001:db8::7', '203.0.113.7']);
});

test('listSessions 200 shows only the first 300 characters of the User-Agent', async (t) => {
  const email = await addUser(behindProxy(), await behindProxy().createMerchant());
  const cookie = await signInFrom(email, '203.0.113.7', 'x'.repeat(4000));

  const [session] = await list(cookie);

  t.is(session.browser, 'x'.repeat(300));
});

test('listSessions 200 lists no ended session and no session of another user', async (t) => {
  const ada = await signIn(behindProxy());
  await signIn(behindProxy(), ada.merchant);
  for (const [column, age] of [
    ['created_at', '7 days'],
    ['last_seen_at', '12 hours'],
  ]) {
    await behindProxy().arrange('openSession', { email: ada.email });
    await behindProxy().database.query(
      `update dashboard_session set ${column} = now() - $2::interval where id =
       (select dashboard_session.id from dashboard_session join dashboard_user on dashboard_user.id = user_id
        where email = $1 order by dashboard_session.id desc limit 1)`,
      [ada.email, age],
    );
  }

  const { sessions, total } = await (await ada.call(path)).json();

  t.is(total, 1);
  t.true(sessions[0].isCurrent);
});

test('listSessions 200 skips `offset` records and returns at most `limit`', async (t) => {
  const ada = await signIn(behindProxy());
  await behindProxy().arrange('openSession', { email: ada.email });
  await behindProxy().arrange('openSession', { email: ada.email });

  const { sessions, total } = await (await ada.call(`${path}?limit=1&offset=2`)).json();

  t.deepEqual([sessions.length, total, sessions[0].isCurrent], [1, 3, true]);
});

test('listSessions 401 without a session', async (t) => {
  t.deepEqual(await errorIn(await behindProxy().request(path)), [401, 'invalid_session']);
});

const refused: RefusedQuery[] = [
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
  ['a parameter is unknown', 'user=ada', 'unknown_parameter', 'user'],
];

testRefusedQueries({ operation: 'listSessions', path }, sharedUser, refused);

const end = ({ call }: SignedIn, id: string) => call(`/api/v1/dashboard/sessions/${id}`, { method: 'DELETE' });

async function signInElsewhere(ada: SignedIn) {
  const { token } = await server().arrange('openSession', { email: ada.email });
  const { sessions } = await (await ada.call('/api/v1/dashboard/sessions')).json();
  const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
  return { id, call: (path: string) => server().request(path, { headers }) };
}

test('endSession 200 ends a session of another browser: its next call is refused, and the calling session does not end', async (t) => {
  const ada = await signIn(server());
  const other = await signInElsewhere(ada);
  t.is((await other.call('/api/v1/payments')).status, 200);

  const response = await end(ada, other.id);

  t.is(response.status, 200);
  t.like(await response.json(), { id: other.id, isCurrent: false });
  const refused = await other.call('/api/v1/payments');
  t.is(refused.headers.get('set-cookie'), null, 'a late response about the ended session must not end a new one');
  t.deepEqual(await errorIn(refused), [401, 'invalid_session']);
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.like((await auditOf(ada))[0], { action: 'endSession', subject: other.id, mode: null });
});

test('endSession 200 ends the calling session itself', async (t) => {
  const ada = await signIn(server());
  const { sessions } = await (await ada.call('/api/v1/dashboard/sessions')).json();

  t.like(await (await end(ada, sessions[0].id)).json(), { isCurrent: true });
  t.deepEqual(await errorIn(await ada.call('/api/v1/payments')), [401, 'invalid_session']);
});

test('endSession 404 for a session that has ended, and for a session of another user of the merchant', async (t) => {
  const ada = await signIn(server());
  const other = await signInElsewhere(ada);
  const grace = await signIn(server(), ada.merchant);

  t.deepEqual(await errorIn(await end(grace, other.id)), [404, 'resource_not_found']);
  t.is((await other.call('/api/v1/payments')).status, 200);
  await end(ada, other.id);
  t.deepEqual(await errorIn(await end(ada, other.id)), [404, 'resource_not_found']);
});

test('endSession 400 when the id is not a UUID', async (t) => {
  const response = await end(await signIn(server()), 'this');

  t.deepEqual(await errorIn(response), [400, 'invalid_parameter']);
});

test('endOtherSessions 200 ends all other sessions of the user, and no session of a colleague', async (t) => {
  const ada = await signIn(server());
  const others = [await signInElsewhere(ada), await signInElsewhere(ada)];
  const grace = await signIn(server(), ada.merchant);

  const response = await ada.call('/api/v1/dashboard/sessions', { method: 'DELETE' });

  t.is(response.status, 200);
  t.like(await response.json(), { isCurrent: true });
  for (const other of others) {
    t.deepEqual(await errorIn(await other.call('/api/v1/payments')), [401, 'invalid_session']);
  }
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.is((await grace.call('/api/v1/payments')).status, 200);
  t.like((await auditOf(ada))[0], { action: 'endOtherSessions', mode: null });
});
