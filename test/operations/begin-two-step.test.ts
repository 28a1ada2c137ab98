import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();

const begin = ({ call, password }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/two-step', { method: 'POST', json: { password, ...json } });
const confirm = ({ call }: SignedIn, code: string) =>
  call('/api/v1/dashboard/two-step/confirm', { method: 'POST', json: { code } });

test('200 returns a secret and the text of the QR code, and does not turn two-step sign-in on', async (t) => {
  const ada = await signIn(server());

  const response = await begin(ada);

  t.is(response.status, 200);
  const { secret, uri } = await response.json();
  t.regex(secret, /^[A-Z2-7]{32}$/);
  t.is(new URL(uri).searchParams.get('secret'), secret);
  t.true(uri.includes(encodeURIComponent(ada.email)));
  t.like((await (await ada.call('/api/v1/dashboard/session')).json()).user.twoStep, { isOn: false });
});

test('200 when called again, with another secret, and the first one no longer works', async (t) => {
  const ada = await signIn(server());
  const [first, second] = [await (await begin(ada)).json(), await (await begin(ada)).json()];

  t.not(first.secret, second.secret);
  t.deepEqual(await refusalIn(await confirm(ada, codeOf(first.secret))), [401, 'invalid_code']);
  t.is((await confirm(ada, codeOf(second.secret))).status, 200);
});

test('200 while two-step sign-in is on, and the current device works until the new one is confirmed', async (t) => {
  const ada = await signInWithTwoStep(server());
  const key = (code: string) => ada.call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', code } });

  const { secret } = await (await begin(ada, { code: ada.recoveryCodes[0] })).json();

  t.is((await key(codeOf(ada.secret))).status, 201);
  t.is((await confirm(ada, codeOf(secret))).status, 200);
  t.is((await key(codeOf(ada.secret, { ahead: 1 }))).status, 401);
  t.is((await key(codeOf(secret, { ahead: 1 }))).status, 201);
  t.is((await key(ada.recoveryCodes[1] ?? '')).status, 401, 'earlier recovery codes do not work either');
});

test('401 when the password is wrong', async (t) => {
  const ada = await signIn(server());

  t.deepEqual(await refusalIn(await begin(ada, { password: 'wrong' })), [401, 'invalid_credentials']);
  t.deepEqual(
    (await auditOf(ada)).map(({ action }) => action),
    ['signIn'],
  );
});
