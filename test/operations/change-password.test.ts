import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, postSession, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const newPassword = 'another horse and battery';

const change = ({ call, password }: SignedIn, json: object = {}) =>
  call('/api/v1/dashboard/password', { method: 'POST', json: { password, newPassword, ...json } });

test('200 replaces the password, ends the other sessions and keeps this one', async (t) => {
  const ada = await signIn(server());
  const { token } = await server().arrange('openSession', { email: ada.email });
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };

  const response = await change(ada);

  t.is(response.status, 200);
  t.is(response.headers.get('set-cookie'), null);
  t.deepEqual(await response.json(), ada.session);
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.deepEqual(await refusalIn(await server().request('/api/v1/payments', { headers })), [401, 'invalid_session']);
  t.is((await postSession(server(), { email: ada.email, password: newPassword })).status, 200);
  t.is((await postSession(server(), { email: ada.email, password: ada.password })).status, 401);
});

test('200 writes an audit entry', async (t) => {
  const ada = await signIn(server());

  await change(ada);

  t.like((await auditOf(ada))[0], { action: 'changePassword', subject: null, mode: null });
});

test('401 when the current password is wrong, and the password stays', async (t) => {
  const ada = await signIn(server());

  t.deepEqual(await refusalIn(await change(ada, { password: 'wrong' })), [401, 'invalid_credentials']);
  t.is((await postSession(server(), { email: ada.email, password: ada.password })).status, 200);
});

test('400 when the new password is shorter than twelve characters', async (t) => {
  const response = await change(await signIn(server()), { newPassword: 'elevenchars' });

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'newPassword' });
});
