import test from 'ava';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { beginSignIn, newAuthenticator, postAssertion } from '../support/users/passkeys.ts';
import { errorIn } from '../support/users/session.ts';

const server = serverForFile();
const path = '/api/v1/dashboard/passkey-sign-in/begin';

test('beginPasskeySignIn 403 for a request from a page of another site', async (t) => {
  const response = await server().request(path, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });

  t.deepEqual(await errorIn(response), [403, 'cross_site_request']);
});

test('beginPasskeySignIn 429 for a network that begins many times', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'passkey_begin:2/100' });
  const begin = () => limited.request(path, { method: 'POST' });

  t.is((await begin()).status, 200);
  t.is((await begin()).status, 200);
  t.deepEqual(await errorIn(await begin()), [429, 'rate_limited']);
});

test('signInWithPasskey 429 for a network that sends many unknown passkeys', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'sign_in:2/100' });
  const guess = async () =>
    errorIn(await postAssertion(limited, newAuthenticator(limited).sign(await beginSignIn(limited))));

  t.deepEqual(await guess(), [401, 'invalid_credentials']);
  t.deepEqual(await guess(), [401, 'invalid_credentials']);
  t.deepEqual(await guess(), [429, 'rate_limited']);
});
