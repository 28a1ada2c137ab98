import test, { type ExecutionContext } from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

const getSession = ({ call }: SignedIn) => call('/api/v1/dashboard/session');

/** Makes all sessions of this user older. */
async function makeOlder({ email }: SignedIn, column: 'created_at' | 'last_seen_at', interval: string): Promise<void> {
  await server().database.query(
    `update dashboard_session set ${column} = now() - $2::interval
     where user_id = (select id from dashboard_user where email = $1)`,
    [email, interval],
  );
}

async function isOver(t: ExecutionContext, ada: SignedIn): Promise<void> {
  t.deepEqual(await refusalIn(await getSession(ada)), [401, 'invalid_session']);
}

test('200 returns the session that signIn began, in each mode', async (t) => {
  const { call, session } = await signIn(server());

  for (const mode of ['test', 'live'] as const) {
    const response = await call('/api/v1/dashboard/session', { mode });

    t.is(response.status, 200);
    t.deepEqual(await response.json(), session);
  }
});

test('200 with the longest name of a merchant, and a merchant with a longer one cannot be created', async (t) => {
  const name = '📚'.repeat(120);
  const grace = await signIn(server(), await server().createMerchant(name));

  t.is((await (await getSession(grace)).json()).merchant.name, name);
  await t.throwsAsync(server().createMerchant(`${name}!`), { message: /name must not be longer than 120 characters/ });
});

test('200 returns to each of two users of one merchant their own email', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, grace] = [await signIn(server(), merchant), await signIn(server(), merchant)];

  t.is((await (await getSession(ada)).json()).user.email, ada.email);
  t.is((await (await getSession(grace)).json()).user.email, grace.email);
});

test('200 for a session that is used every twelve hours, and each use extends it', async (t) => {
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

test('401 after twelve idle hours', async (t) => {
  const ada = await signIn(server());

  await makeOlder(ada, 'last_seen_at', '12 hours');

  await isOver(t, ada);
});

test('401 a week after the sign-in, however often the session was used', async (t) => {
  const ada = await signIn(server());

  await makeOlder(ada, 'created_at', '7 days');

  await isOver(t, ada);
});

test('401 after the password was replaced', async (t) => {
  const ada = await signIn(server());

  await server().arrange('replacePassword', { email: ada.email, password: 'another one' });

  await isOver(t, ada);
});

test('401 for a cookie with an invalid value', async (t) => {
  for (const value of ['', 'x', 'j:{"a":1}', '%00', 'a'.repeat(2000)]) {
    const response = await server().request('/api/v1/dashboard/session', {
      headers: { cookie: `tillhook_session=${value}`, 'x-service-mode': 'test' },
    });

    t.is(response.headers.get('www-authenticate'), 'Cookie realm="tillhook", cookie-name="tillhook_session"');
    t.deepEqual(await refusalIn(response), [401, 'invalid_session']);
  }
});

test('403 without X-Service-Mode, which no form of another site can send', async (t) => {
  const { call } = await signIn(server());

  const response = await call('/api/v1/dashboard/session', { mode: null });

  t.deepEqual(await refusalIn(response), [403, 'cross_site_request']);
});
