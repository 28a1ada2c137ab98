import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();

const ask = ({ call, password }: SignedIn, json: object) =>
  call('/api/v1/dashboard/two-step/recovery-codes', { method: 'POST', json: { password, ...json } });
const key = ({ call }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', ...json } });

test('200 returns ten new codes, and the old ones no longer work', async (t) => {
  const ada = await signInWithTwoStep(server());

  const response = await ask(ada, { code: codeOf(ada.secret) });

  t.is(response.status, 200);
  const { recoveryCodes } = await response.json();
  t.is(new Set([...recoveryCodes, ...ada.recoveryCodes]).size, 20);
  t.is((await key(ada, { code: ada.recoveryCodes[0] })).status, 401);
  t.is((await key(ada, { code: recoveryCodes[0] })).status, 201);
  t.true((await auditOf(ada)).some(({ action, mode }) => action === 'renewRecoveryCodes' && mode === null));
});

test('200 with the last recovery code', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.is((await ask(ada, { code: ada.recoveryCodes[9] })).status, 200);
});

test('401 for a wrong password and for a wrong code, and the old codes stay valid', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.deepEqual(await refusalIn(await ask(ada, { password: 'wrong', code: codeOf(ada.secret) })), [
    401,
    'invalid_credentials',
  ]);
  t.deepEqual(await refusalIn(await ask(ada, { code: 'aaaa-aaaa-aaaa-aaaa' })), [401, 'invalid_code']);
  t.is((await key(ada, { code: ada.recoveryCodes[0] })).status, 201);
});

test('409 when two-step sign-in is off', async (t) => {
  t.deepEqual(await refusalIn(await ask(await signIn(server()), { code: '123456' })), [409, 'two_step_is_off']);
});
