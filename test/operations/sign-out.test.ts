import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { cookieOf, postSession, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

const signOut = ({ call }: SignedIn, headers: Record<string, string> = {}) =>
  call('/api/v1/dashboard/session', { method: 'DELETE', headers });

const isSignedIn = async ({ call }: SignedIn) => (await call('/api/v1/dashboard/session')).status === 200;

test('200 returns the ended session, and removes the cookie', async (t) => {
  const ada = await signIn(server());

  const response = await signOut(ada);

  t.is(response.status, 200);
  t.deepEqual(await response.json(), ada.session);
  t.is(cookieOf(response), 'tillhook_session=');
  t.regex(response.headers.get('set-cookie') ?? '', /Max-Age=0|Expires=Thu, 01 Jan 1970/);
  t.regex(response.headers.get('set-cookie') ?? '', /Path=\/(;|$)/);
});

test('200 ends the session for every copy of the cookie', async (t) => {
  const ada = await signIn(server());

  await signOut(ada);

  t.deepEqual(await refusalIn(await ada.call('/api/v1/payments')), [401, 'invalid_session']);
  t.deepEqual(await refusalIn(await ada.call('/api/v1/dashboard/session')), [401, 'invalid_session']);
});

test('200 does not end other sessions of the same user, or those of other users', async (t) => {
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

test('401 when the session has ended already', async (t) => {
  const ada = await signIn(server());
  await signOut(ada);

  t.deepEqual(await refusalIn(await signOut(ada)), [401, 'invalid_session']);
});

test('403 for a page of another site, and the session stays', async (t) => {
  const ada = await signIn(server());

  const response = await signOut(ada, { 'sec-fetch-site': 'cross-site' });

  t.deepEqual(await refusalIn(response), [403, 'cross_site_request']);
  t.true(await isSignedIn(ada));
});
