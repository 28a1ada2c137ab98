import test from 'ava';
import { testSealer } from '../support/database/sealer.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { beginSignIn, newAuthenticator, postAssertion, signInWithPasskey } from '../support/users/passkeys.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';
import { password } from '../support/users/users.ts';

/** No program listens on the port of this mail server, so its mails stay pending. */
const server = serverForFile({ MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Tillhook <tillhook@example.com>' });

const newPassword = 'a longer one than before';

const post = ({ call }: SignedIn, path: string, json: object) =>
  call(`/api/v1/dashboard/${path}`, { method: 'POST', json });

const acts: Record<string, [kind: string, act: () => Promise<SignedIn>]> = {
  'the password was changed': [
    'password_changed',
    async () => {
      const ada = await signIn(server());
      await post(ada, 'password', { password, newPassword });
      return ada;
    },
  ],
  'the password was reset by a link': [
    'password_reset',
    async () => {
      const ada = await signIn(server());
      const token = await addResetLink(server(), ada.email);
      await post(ada, 'password-reset', { token, password: newPassword });
      return ada;
    },
  ],
  'an operator set a new password': [
    'password_changed',
    async () => {
      const ada = await signIn(server());
      await server().arrange('replacePassword', { email: ada.email, password: newPassword });
      return ada;
    },
  ],
  'two-step sign-in was turned on': [
    'two_step_turned_on',
    async () => {
      const ada = await signIn(server());
      const { secret } = await server().arrange('beginTwoStep', { email: ada.email });
      await post(ada, 'two-step/confirm', { code: codeOf(secret) });
      return ada;
    },
  ],
  'two-step sign-in was turned off': [
    'two_step_turned_off',
    async () => {
      const ada = await signInWithTwoStep(server());
      await post(ada, 'two-step/remove', { password, code: codeOf(ada.secret) });
      return ada;
    },
  ],
  'a passkey was added': ['passkey_added', () => signInWithPasskey(server())],
  'a passkey was removed': [
    'passkey_removed',
    async () => {
      const ada = await signIn(server());
      const authenticator = newAuthenticator(server());
      const options = await server().arrange('beginPasskey', { email: ada.email });
      const { id } = await server().arrange('addPasskey', { email: ada.email, ...authenticator.register(options) });
      await ada.call(`/api/v1/dashboard/passkeys/${id}`, { method: 'DELETE' });
      return ada;
    },
  ],
  'two tries with a copy of a passkey': [
    'passkey_copied',
    async () => {
      const ada = await signIn(server());
      const { register, sign } = newAuthenticator(server());
      const options = await server().arrange('beginPasskey', { email: ada.email });
      await server().arrange('addPasskey', { email: ada.email, ...register(options) });
      for (const counter of [1, 1]) await postAssertion(server(), sign(await beginSignIn(server()), { counter }));
      return ada;
    },
  ],
};

for (const [event, [kind, act]] of Object.entries(acts)) {
  test(`the user, and no other user of the merchant, gets one mail after ${event}`, async (t) => {
    const ada = await act();

    const mails = await server().database.query(
      'select kind, recipient from mail where merchant_id = (select merchant_id from dashboard_user where email = $1)',
      [ada.email],
    );
    const ofAccount = mails.filter((mail) => !String(mail.kind).startsWith('api_key'));
    t.deepEqual(ofAccount, [{ kind, recipient: ada.email }]);
  });
}

test('the mail about a reset names the passkeys that still work', async (t) => {
  const { email, passkeyId } = await signInWithPasskey(server());
  await server().database.query("update passkey set name = 'Phone of Eve' where id = $1", [passkeyId]);
  const token = await addResetLink(server(), email);
  await post(await signIn(server()), 'password-reset', { token, password: newPassword });

  const query = "select id, sealed_values from mail where recipient = $1 and kind = 'password_reset'";
  const [mail] = await server().database.query<{ id: string; sealed_values: string }>(query, [email]);
  const { details } = JSON.parse(testSealer().open(mail?.sealed_values ?? '', mail?.id ?? ''));
  t.deepEqual(details, { 'Passkeys that still work': 'Phone of Eve' });
});
