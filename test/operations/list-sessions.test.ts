import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import {
  cookieOf,
  postSession,
  type RefusedQuery,
  refusalIn,
  signIn,
  testRefusedQueries,
  userForFile,
} from '../support/users/session.ts';
import { addUser, password } from '../support/users/users.ts';

const server = serverForFile({ TRUST_PROXY: '1' });
const path = '/api/v1/dashboard/sessions';
const sharedUser = userForFile(server);

/** Signs in as a browser does, from an address that a proxy names. */
async function signInFrom(email: string, address: string, browser: string) {
  const headers = { 'x-forwarded-for': address, 'user-agent': browser };
  return cookieOf(await postSession(server(), { email, password }, headers));
}

const list = async (cookie: string) => {
  const response = await server().request(path, { headers: { cookie, 'x-service-mode': 'test' } });
  return (await response.json()).sessions;
};

test('200 lists where the user is signed in, newest first, with address and browser', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  await signInFrom(email, '203.0.113.7', 'Firefox of a desk');
  const cookie = await signInFrom(email, '2001:db8::7', 'Safari of a telephone');

  const [telephone, desk, ...others] = await list(cookie);

  t.deepEqual(others, []);
  t.like(telephone, { address: '2001:db8::7', browser: 'Safari of a telephone', isCurrent: true });
  t.like(desk, { address: '203.0.113.7', browser: 'Firefox of a desk', isCurrent: false });
  t.is(Date.parse(desk.expiresAt) - Date.parse(desk.createdAt), 7 * 24 * 3_600_000);
  t.is(desk.lastSeenAt, desk.createdAt);
});

test('200 lists the address without what a proxy wrote around it', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  let cookie = '';
  for (const address of ['203.0.113.7:52100', '[2001:db8::7]:52100', 'unknown'])
    cookie = await signInFrom(email, address, 'Firefox');

  const addresses = (await list(cookie)).map(({ address }: { address: string }) => address);

  t.deepEqual(addresses, ['127.0.0.1', '2001:db8::7', '203.0.113.7']);
});

test('200 stores 300 characters of the User-Agent', async (t) => {
  const email = await addUser(server(), await server().createMerchant());
  const cookie = await signInFrom(email, '203.0.113.7', 'x'.repeat(4000));

  const [session] = await list(cookie);

  t.is(session.browser, 'x'.repeat(300));
});

test('200 without ended sessions and without those of other users', async (t) => {
  const ada = await signIn(server());
  await signIn(server(), ada.merchant);
  for (const [column, age] of [
    ['created_at', '7 days'],
    ['last_seen_at', '12 hours'],
  ]) {
    await server().arrange('openSession', { email: ada.email });
    await server().database.query(
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

test('200 skips offset records and returns at most limit', async (t) => {
  const ada = await signIn(server());
  await server().arrange('openSession', { email: ada.email });
  await server().arrange('openSession', { email: ada.email });

  const { sessions, total } = await (await ada.call(`${path}?limit=1&offset=2`)).json();

  t.deepEqual([sessions.length, total, sessions[0].isCurrent], [1, 3, true]);
});

test('401 without a session', async (t) => {
  t.deepEqual(await refusalIn(await server().request(path)), [401, 'invalid_session']);
});

const refused: RefusedQuery[] = [
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
  ['a parameter is unknown', 'user=ada', 'unknown_parameter', 'user'],
];

testRefusedQueries(path, sharedUser, refused);
