import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const server = serverForFile();

const confirm = ({ call }: SignedIn, code: string) =>
  call('/api/v1/dashboard/two-step/confirm', { method: 'POST', json: { code } });

async function begun() {
  const ada = await signIn(server());
  return { ada, ...(await server().arrange('beginTwoStep', { email: ada.email })) };
}

test('200 turns two-step sign-in on and returns ten recovery codes', async (t) => {
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

test('200 ends the other sessions, which were begun with only the password', async (t) => {
  const { ada, secret } = await begun();
  const { token } = await server().arrange('openSession', { email: ada.email });
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };

  await confirm(ada, codeOf(secret));

  t.deepEqual(await refusalIn(await server().request('/api/v1/payments', { headers })), [401, 'invalid_session']);
  t.is((await ada.call('/api/v1/payments')).status, 200);
});

test('401 for a wrong code, and the right one is still accepted after it', async (t) => {
  const { ada, secret } = await begun();

  t.deepEqual(await refusalIn(await confirm(ada, codeOf(secret, { ahead: 9 }))), [401, 'invalid_code']);
  t.is((await confirm(ada, codeOf(secret))).status, 200);
});

test('401 for another call with the code that turned two-step sign-in on', async (t) => {
  const { ada, secret } = await begun();
  const code = codeOf(secret);
  await confirm(ada, code);

  const response = await ada.call('/api/v1/dashboard/api-keys', { method: 'POST', json: { name: 'a', code } });

  t.deepEqual(await refusalIn(response), [401, 'invalid_code']);
});

test('409 when two-step sign-in was not begun, is confirmed already, or was begun over ten minutes ago', async (t) => {
  const { ada, secret } = await begun();
  const late = await begun();
  await server().database.query('update dashboard_user set pending_until = now() where email = $1', [late.ada.email]);

  t.deepEqual(await refusalIn(await confirm(await signIn(server()), '123456')), [409, 'two_step_not_begun']);
  t.deepEqual(await refusalIn(await confirm(late.ada, codeOf(late.secret))), [409, 'two_step_not_begun']);
  await confirm(ada, codeOf(secret));
  t.deepEqual(await refusalIn(await confirm(ada, codeOf(secret, { ahead: 1 }))), [409, 'two_step_not_begun']);
});

for (const code of ['12345', '593455; drop', 'x'.repeat(33)]) {
  test(`400 when the code is ${code.slice(0, 12)}`, async (t) => {
    const response = await confirm(await signIn(server()), code);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code: 'invalid_parameter', param: 'code' });
  });
}
