import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn, signInWithTwoStep } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();

const ask = ({ call, password }: SignedIn, json: object) =>
  call('/api/v1/dashboard/two-step/remove', { method: 'POST', json: { password, ...json } });
const key = ({ call }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', ...json } });

test('200, and later calls need no code', async (t) => {
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

test('401 for a wrong password and for a wrong code, and two-step sign-in stays on', async (t) => {
  const ada = await signInWithTwoStep(server());

  t.deepEqual(await refusalIn(await ask(ada, { password: 'wrong', code: codeOf(ada.secret) })), [
    401,
    'invalid_credentials',
  ]);
  t.deepEqual(await refusalIn(await ask(ada, { code: 'aaaa-aaaa-aaaa-aaaa' })), [401, 'invalid_code']);
  t.deepEqual(await refusalIn(await key(ada)), [401, 'two_step_required']);
});

test('403 if the merchant requires two-step sign-in, and it stays on', async (t) => {
  const ada = await signInWithTwoStep(server());
  await server().database.query('update merchant set requires_two_step = true where id = $1', [ada.merchant.id]);

  t.deepEqual(await refusalIn(await ask(ada, { code: codeOf(ada.secret) })), [403, 'two_step_setup_required']);
  t.deepEqual(await refusalIn(await key(ada)), [401, 'two_step_required']);
});

test('409 when two-step sign-in is off', async (t) => {
  t.deepEqual(await refusalIn(await ask(await signIn(server()), { code: '123456' })), [409, 'two_step_is_off']);
});
