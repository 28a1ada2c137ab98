import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { add, begin, beginSignIn, newAuthenticator, postAssertion } from '../support/users/passkeys.ts';
import { cookieOf, errorIn, postSession, signIn } from '../support/users/session.ts';
import { invite, postInvitation } from '../support/users/team.ts';

const server = serverForFile();
const post = (name: 'passkey' | 'accept', json: object) =>
  postInvitation(server(), name, { ...(name === 'accept' && { name: 'Grace Eze' }), ...json });
const optionsFor = async ({ token }: { token: string }) => (await post('passkey', { token })).json();

test('acceptInvitation 201 with a passkey makes a user without a password, whom the passkey signs in', async (t) => {
  const merchant = await server().createMerchant();
  const { token, email } = await invite(server(), merchant, { role: 'support' });
  await server().database.query('update merchant set requires_two_step = true where id = $1', [merchant.id]);
  const authenticator = newAuthenticator(server());
  const options = await optionsFor({ token });
  t.is(options.user.name, email);

  const response = await post('accept', { token, passkey: authenticator.register(options) });

  t.is(response.status, 201);
  t.like(await response.json(), { user: { email, name: 'Grace Eze', role: 'support', proof: 'passkey' } });
  const answer = { ...authenticator.sign(await beginSignIn(server())), userHandle: options.user.id };
  const signedIn = await postAssertion(server(), answer);
  t.is(signedIn.status, 200);
  const headers = { cookie: cookieOf(signedIn), 'x-service-mode': 'test' };
  t.is((await server().request('/api/v1/payments', { headers })).status, 200);
  t.deepEqual(await errorIn(await postSession(server(), { email, password: 'anything' })), [
    401,
    'invalid_credentials',
  ]);
});

test('acceptInvitation 400 without a password and a passkey, and 409 for a challenge of another invitation or of a user', async (t) => {
  const merchant = await server().createMerchant();
  const [grace, other] = [await invite(server(), merchant), await invite(server(), merchant)];
  const ada = await signIn(server());
  const { register } = newAuthenticator(server());
  const accept = async (options: Parameters<typeof register>[0]) =>
    errorIn(await post('accept', { token: grace.token, passkey: register(options) }));

  t.deepEqual(await errorIn(await post('accept', { token: grace.token })), [400, 'missing_parameter']);
  t.deepEqual(await accept(await optionsFor(other)), [409, 'passkey_not_begun']);
  t.deepEqual(await accept(await (await begin(ada)).json()), [409, 'passkey_not_begun']);
  t.deepEqual(await errorIn(await add(ada, register(await optionsFor(grace)))), [409, 'passkey_not_begun']);
});

test('acceptInvitation 201 for one of two calls with passkeys at the same moment, and the other gets 409', async (t) => {
  const grace = await invite(server(), await server().createMerchant());
  const made = await Promise.all([0, 1].map(async () => newAuthenticator(server()).register(await optionsFor(grace))));

  const answers = await Promise.all(made.map((passkey) => post('accept', { token: grace.token, passkey })));

  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});

test('beginInvitationPasskey 404 for an unknown token, and 409 for an invitation that was accepted', async (t) => {
  const { token } = await invite(server(), await server().createMerchant());
  await post('accept', { token, password: 'kitchen radio april' });

  t.is((await post('passkey', { token: 'x'.repeat(43) })).status, 404);
  t.deepEqual(await errorIn(await post('passkey', { token })), [409, 'invitation_over']);
});

test('beginInvitationPasskey 403 while the merchant is suspended', async (t) => {
  const merchant = await server().createMerchant();
  const { token } = await invite(server(), merchant);
  await server().database.query('update merchant set suspended_at = now() where id = $1', [merchant.id]);

  t.deepEqual(await errorIn(await post('passkey', { token })), [403, 'merchant_suspended']);
});
