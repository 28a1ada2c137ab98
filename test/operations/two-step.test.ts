import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, errorIn, postSession, type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();

const begin = ({ call, password }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/two-step', { method: 'POST', json: { password, ...json } });
const confirm = ({ call }: SignedIn, code: string) =>
  call('/api/v1/dashboard/two-step/confirm', { method: 'POST', json: { code } });

test('beginTwoStep 200 returns a secret and the text of the QR code, and does not turn two-step sign-in on', async (t) => {
  const ada = await signIn(server());

  const response = await begin(ada);

  t.is(response.status, 200);
  const { secret, uri } = await response.json();
  t.regex(secret, /^[A-Z2-7]{32}$/);
  t.is(new URL(uri).searchParams.get('secret'), secret);
  t.true(uri.includes(encodeURIComponent(ada.email)));
  t.like((await (await ada.call('/api/v1/dashboard/session')).json()).user.twoStep, { isOn: false });
});

test('beginTwoStep 200 returns another secret in a second call, and the first secret no longer works', async (t) => {
  const ada = await signIn(server());
  const [first, second] = [await (await begin(ada)).json(), await (await begin(ada)).json()];

  t.not(first.secret, second.secret);
  t.deepEqual(await errorIn(await confirm(ada, codeOf(first.secret))), [401, 'invalid_code']);
  t.is((await confirm(ada, codeOf(second.secret))).status, 200);
});

test('beginTwoStep 200 while two-step sign-in is on, and the old device works until the new device is confirmed', async (t) => {
  const ada = await signInWithTwoStep(server());
  const key = (code: string) => ada.call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', code } });

  const { secret } = await (await begin(ada, { code: ada.recoveryCodes[0] })).json();

  t.is((await key(codeOf(ada.secret))).status, 201);
  t.is((await confirm(ada, codeOf(secret))).status, 200);
  t.is((await key(codeOf(ada.secret, { ahead: 1 }))).status, 401);
  t.is((await key(codeOf(secret, { ahead: 1 }))).status, 201);
  t.is((await key(ada.recoveryCodes[1] ?? '')).status, 401, 'earlier recovery codes do not work either');
});

test('beginTwoStep 401 when the password is wrong', async (t) => {
  const ada = await signIn(server());

  t.deepEqual(await errorIn(await begin(ada, { password: 'wrong' })), [401, 'invalid_credentials']);
  t.deepEqual(
    (await auditOf(ada)).map(({ action }) => action),
    ['signIn'],
  );
});

async function begun() {
  const ada = await signIn(server());
  return { ada, ...(await server().arrange('beginTwoStep', { email: ada.email })) };
}

test('confirmTwoStep 200 turns two-step sign-in on and returns ten recovery codes', async (t) => {
  const { ada, secret } = await begun();

  const response = await confirm(ada, codeOf(secret));

  t.is(response.status, 200);
  const { recoveryCodes } = await response.json();
  t.is(new Set(recoveryCodes).size, 10);
  t.deepEqual((await (await ada.call('/api/v1/dashboard/session')).json()).user.twoStep, {
    isOn: true,
    isRequired: false,
  });
  t.like((await auditOf(ada))[0], { action: 'confirmTwoStep', subject: null, mode: null });
});

test('confirmTwoStep 200 ends the other sessions, which were begun with only the password', async (t) => {
  const { ada, secret } = await begun();
  const { token } = await server().arrange('openSession', { email: ada.email });
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };

  await confirm(ada, codeOf(secret));

  t.deepEqual(await errorIn(await server().request('/api/v1/payments', { headers })), [401, 'invalid_session']);
  t.is((await ada.call('/api/v1/payments')).status, 200);
});

test('confirmTwoStep 401 for a wrong code, and the right code is accepted afterwards', async (t) => {
  const { ada, secret } = await begun();

  t.deepEqual(await errorIn(await confirm(ada, codeOf(secret, { ahead: 9 }))), [401, 'invalid_code']);
  t.is((await confirm(ada, codeOf(secret))).status, 200);
});

test('confirmTwoStep 401 for another call with the code that turned two-step sign-in on', async (t) => {
  const { ada, secret } = await begun();
  const code = codeOf(secret);
  await confirm(ada, code);

  const response = await ada.call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', code } });

  t.deepEqual(await errorIn(response), [401, 'invalid_code']);
});

test('confirmTwoStep 409 when two-step sign-in was not begun, is confirmed already, or was begun over ten minutes ago', async (t) => {
  const { ada, secret } = await begun();
  const late = await begun();
  await server().database.query('update dashboard_user set pending_until = now() where email = $1', [late.ada.email]);

  t.deepEqual(await errorIn(await confirm(await signIn(server()), '123456')), [409, 'two_step_not_begun']);
  t.deepEqual(await errorIn(await confirm(late.ada, codeOf(late.secret))), [409, 'two_step_not_begun']);
  await confirm(ada, codeOf(secret));
  t.deepEqual(await errorIn(await confirm(ada, codeOf(secret, { ahead: 1 }))), [409, 'two_step_not_begun']);
});

for (const code of ['12345', '593455; drop', 'x'.repeat(33)]) {
  test(`confirmTwoStep 400 when the code is ${code.slice(0, 12)}`, async (t) => {
    const response = await confirm(await signIn(server()), code);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code: 'invalid_parameter', param: 'code' });
  });
}

const ask = ({ call, password }: SignedIn, json: object) =>
  call('/api/v1/dashboard/two-step/remove', { method: 'POST', json: { password, ...json } });
const key = ({ call }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', ...json } });

test('removeTwoStep 200 turns two-step sign-in off, and later calls need no code', async (t) => {
  const ada = await signInWithTwoStep(server());

  const response = await ask(ada, { code: codeOf(ada.secret) });

  t.is(response.status, 200);
  t.deepEqual(await response.json(), { isOn: false, isRequired: false });
  t.is((await key(ada)).status, 201);
  t.true((await auditOf(ada)).some(({ action, mode }) => action === 'removeTwoStep' && mode === null));
  t.deepEqual(
    await server().database.query(
      'select from recovery_code join dashboard_user on dashboard_user.id = user_id where email = $1',
      [ada.email],
    ),
    [],
  );
});

test('removeTwoStep 401 for a wrong password and for a wrong code, and two-step sign-in stays on', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.deepEqual(await errorIn(await ask(ada, { password: 'wrong', code: codeOf(ada.secret) })), [
    401,
    'invalid_credentials',
  ]);
  t.deepEqual(await errorIn(await ask(ada, { code: 'aaaa-aaaa-aaaa-aaaa' })), [401, 'invalid_code']);
  t.deepEqual(await errorIn(await key(ada)), [401, 'two_step_required']);
});

test('removeTwoStep 403 if the merchant requires two-step sign-in, and two-step sign-in stays on', async (t) => {
  const ada = await signInWithTwoStep(server());
  await server().database.query('update merchant set requires_two_step = true where id = $1', [ada.merchant.id]);

  t.deepEqual(await errorIn(await ask(ada, { code: codeOf(ada.secret) })), [403, 'two_step_setup_required']);
  t.deepEqual(await errorIn(await key(ada)), [401, 'two_step_required']);
});

test('removeTwoStep 409 when two-step sign-in is off', async (t) => {
  t.deepEqual(await errorIn(await ask(await signIn(server()), { code: '123456' })), [409, 'two_step_is_off']);
});

const askForCodes = ({ call, password }: SignedIn, json: object) =>
  call('/api/v1/dashboard/two-step/recovery-codes', { method: 'POST', json: { password, ...json } });

test('renewRecoveryCodes 200 returns ten new codes, and the old codes no longer work', async (t) => {
  const ada = await signInWithTwoStep(server());

  const response = await askForCodes(ada, { code: codeOf(ada.secret) });

  t.is(response.status, 200);
  const { recoveryCodes } = await response.json();
  t.is(new Set([...recoveryCodes, ...ada.recoveryCodes]).size, 20);
  t.is((await key(ada, { code: ada.recoveryCodes[0] })).status, 401);
  t.is((await key(ada, { code: recoveryCodes[0] })).status, 201);
  t.true((await auditOf(ada)).some(({ action, mode }) => action === 'renewRecoveryCodes' && mode === null));
});

test('renewRecoveryCodes 200 with the last recovery code as the code', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.is((await askForCodes(ada, { code: ada.recoveryCodes[9] })).status, 200);
});

test('renewRecoveryCodes 401 for a wrong password and for a wrong code, and the old codes stay valid', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.deepEqual(await errorIn(await askForCodes(ada, { password: 'wrong', code: codeOf(ada.secret) })), [
    401,
    'invalid_credentials',
  ]);
  t.deepEqual(await errorIn(await askForCodes(ada, { code: 'aaaa-aaaa-aaaa-aaaa' })), [401, 'invalid_code']);
  t.is((await key(ada, { code: ada.recoveryCodes[0] })).status, 201);
});

test('renewRecoveryCodes 409 when two-step sign-in is off', async (t) => {
  t.deepEqual(await errorIn(await askForCodes(await signIn(server()), { code: '123456' })), [409, 'two_step_is_off']);
});

const newPassword = 'another horse and battery';

const change = ({ call, password }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/password', { method: 'POST', json: { password, newPassword, ...json } });

test('changePassword 200 replaces the password, ends the other sessions and keeps the calling session', async (t) => {
  const ada = await signIn(server());
  const { token } = await server().arrange('openSession', { email: ada.email });
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };

  const response = await change(ada);

  t.is(response.status, 200);
  t.is(response.headers.get('set-cookie'), null);
  t.deepEqual(await response.json(), ada.session);
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.deepEqual(await errorIn(await server().request('/api/v1/payments', { headers })), [401, 'invalid_session']);
  t.is((await postSession(server(), { email: ada.email, password: newPassword })).status, 200);
  t.is((await postSession(server(), { email: ada.email, password: ada.password })).status, 401);
});

test('changePassword 200 writes an audit entry', async (t) => {
  const ada = await signIn(server());

  await change(ada);

  t.like((await auditOf(ada))[0], { action: 'changePassword', subject: null, mode: null });
});

test('changePassword 401 when the current password is wrong, and the password does not change', async (t) => {
  const ada = await signIn(server());

  t.deepEqual(await errorIn(await change(ada, { password: 'wrong' })), [401, 'invalid_credentials']);
  t.is((await postSession(server(), { email: ada.email, password: ada.password })).status, 200);
});

test('changePassword 400 when the new password is shorter than twelve characters', async (t) => {
  const response = await change(await signIn(server()), { newPassword: 'elevenchars' });

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'newPassword' });
});
