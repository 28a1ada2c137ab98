import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { serverForFile, startServer, type TestServer, usualSettings, wholePool } from '../support/server/tillhook.ts';
import { addPasskey, beginSignIn, newAuthenticator, postAssertion } from '../support/users/passkeys.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { createKey, postSession, type SignedIn, signIn } from '../support/users/session.ts';
import { chosenPassword, invite, withToken } from '../support/users/team.ts';

const server = serverForFile(usualSettings);
const team = '/api/v1/dashboard/team';

test('a sign-in, an accepted invitation and a new password do not wait for a change of their merchant', async (t) => {
  const merchant = await server().createMerchant();
  const ada = await addPasskey(await signIn(server(), merchant));
  const [grace, joan] = [await invite(server(), merchant), await invite(server(), merchant)];
  const registered = newAuthenticator(server()).register(
    await (await post(server(), 'invitations/passkey', { token: joan.token })).json(),
  );
  const signed = ada.authenticator.sign(await beginSignIn(server()));
  const link = await addResetLink(server(), ada.email);
  await changeMerchant(t, merchant.id);

  const answers = await Promise.all([
    postSession(server(), { email: ada.email, password: ada.password }),
    postAssertion(server(), signed),
    accept(server(), { token: grace.token, password: chosenPassword }),
    accept(server(), { token: joan.token, passkey: registered }),
  ]);
  const reset = await post(server(), 'password-reset', { token: link, password: chosenPassword });

  t.deepEqual(
    [...answers, reset].map(({ status }) => status),
    [200, 200, 201, 201, 200],
  );
});

test('changes of a team at the same moment as sign-ins, invitations, keys and new passwords end without a deadlock', async (t) => {
  const crowded = await startServer(t, wholePool);
  for (let round = 0; round < 6; round += 1) {
    const merchant = await crowded.createMerchant();
    const [ada, sam, zoe] = await Promise.all([0, 1, 2].map(() => signIn(crowded, merchant)));
    if (!ada || !sam || !zoe) throw new Error('Somebody is missing.');
    const invited = await invitedBy(sam);
    const links = [await addResetLink(crowded, sam.email), await addResetLink(crowded, sam.email)];

    const answers = await Promise.all([
      postSession(crowded, { email: sam.email, password: sam.password }),
      setRole(ada, sam, 'viewer'),
      createKey(sam, { name: 'Till' }).then(() => ({ status: 200 })),
      setRole(zoe, sam, 'support'),
      accept(crowded, { token: invited.token, password: chosenPassword }),
      ada.call(`${team}-invitations/${invited.id}/resend`, { method: 'POST' }),
      ...links.map((token) => post(crowded, 'password-reset', { token, password: chosenPassword })),
      ada.call(`${team}/${idOf(sam)}`, { method: 'DELETE' }),
    ]);

    t.deepEqual(
      answers.filter(({ status }) => status >= 500),
      [],
    );
  }
  // A backend reports its deadlocks at its end.
  await crowded.stop();

  t.deepEqual(
    await crowded.database.query('select deadlocks::int from pg_stat_database where datname = current_database()'),
    [{ deadlocks: 0 }],
  );
});

/** Holds the lock that a change of the merchant or of its team holds, until the end of the test. */
async function changeMerchant(t: ExecutionContext, id: string): Promise<void> {
  const other = new Client({ connectionString: server().database.url });
  await other.connect();
  t.teardown(() => other.end());
  await other.query('begin');
  await other.query('update merchant set name = name where id = $1', [id]);
}

function post(to: TestServer, path: string, json: object) {
  return to.request(`/api/v1/dashboard/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}

const accept = (to: TestServer, json: object) => post(to, 'invitations/accept', { name: 'Grace Eze', ...json });

const idOf = ({ session }: SignedIn) => session.user.id;

const setRole = (by: SignedIn, of: SignedIn, role: string) =>
  by.call(`${team}/${idOf(of)}`, { method: 'PATCH', json: { role } });

async function invitedBy({ server: to, call }: SignedIn) {
  const json = { email: `${crypto.randomUUID()}@example.com`, role: 'viewer' };
  return withToken(to, await (await call(`${team}-invitations`, { method: 'POST', json })).json());
}
