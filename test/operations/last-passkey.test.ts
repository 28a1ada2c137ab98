import test from 'ava';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { addPasskey, removePassword, signInWithPasskey } from '../support/users/passkeys.ts';
import { errorIn, type SignedIn } from '../support/users/session.ts';

const server = serverForFile();
const remove = ({ call }: SignedIn, id: string) => call(`/api/v1/dashboard/passkeys/${id}`, { method: 'DELETE' });

test('removePasskey 409 for the last passkey of a user without a password, and 200 for the passkey before it', async (t) => {
  const ada = await signInWithPasskey(server());
  const second = await addPasskey(ada);
  await removePassword(ada);

  t.is((await remove(ada, ada.passkeyId)).status, 200);
  t.deepEqual(await errorIn(await remove(ada, second.passkeyId)), [409, 'last_passkey']);
});

test('removePasskey 409 for the last passkey while passwords are off, and 200 for a user with an account of the company', async (t) => {
  const issuer = 'https://login.example.com';
  const company = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'tillhook', OIDC_CLIENT_SECRET: 'secret' };
  const other = await startServer(t, { ...company, PASSWORD_SIGN_IN: 'false' });
  const ada = await signInWithPasskey(other);
  const addAccount = (at: string) =>
    other.database.query(
      'insert into oidc_identity select $1, id::text, id, now() from dashboard_user where email = $2',
      [at, ada.email],
    );
  await addAccount('https://earlier.example.com');

  const refused = await remove(ada, ada.passkeyId);
  await addAccount(issuer);

  t.like(await refused.json(), { message: 'This is your only way to sign in: add another passkey first' });
  t.is(refused.status, 409);
  await removePassword(ada);
  t.is((await remove(ada, ada.passkeyId)).status, 200);
});

test('removePasskey: of two calls for the last two passkeys of a user without a password, one is refused', async (t) => {
  const ada = await signInWithPasskey(server());
  const second = await addPasskey(ada);
  await removePassword(ada);

  const statuses = await Promise.all([remove(ada, ada.passkeyId), remove(ada, second.passkeyId)]);

  t.deepEqual(statuses.map(({ status }) => status).sort(), [200, 409]);
});

test('removePasskey 409 where it is the second step that the merchant requires', async (t) => {
  const ada = await signInWithPasskey(server());
  await server().database.query('update merchant set requires_two_step = true where id = $1', [ada.merchant.id]);

  t.deepEqual(await errorIn(await remove(ada, ada.passkeyId)), [409, 'last_passkey']);
});
