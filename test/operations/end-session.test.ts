import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { auditOf, refusalIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

const end = ({ call }: SignedIn, id: string) => call(`/api/v1/dashboard/sessions/${id}`, { method: 'DELETE' });

/** Signs the same user in again, in another browser. */
async function signInElsewhere(ada: SignedIn) {
  const { token } = await server().arrange('openSession', { email: ada.email });
  const { sessions } = await (await ada.call('/api/v1/dashboard/sessions')).json();
  const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const headers = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
  return { id, call: (path: string) => server().request(path, { headers }) };
}

test('200 ends a session of another browser: its next call is refused, and the calling session stays', async (t) => {
  const ada = await signIn(server());
  const other = await signInElsewhere(ada);
  t.is((await other.call('/api/v1/payments')).status, 200);

  const response = await end(ada, other.id);

  t.is(response.status, 200);
  t.like(await response.json(), { id: other.id, isCurrent: false });
  const refused = await other.call('/api/v1/payments');
  t.regex(refused.headers.get('set-cookie') ?? '', /^tillhook_session=;/);
  t.deepEqual(await refusalIn(refused), [401, 'invalid_session']);
  t.is((await ada.call('/api/v1/payments')).status, 200);
  t.like((await auditOf(ada))[0], { action: 'endSession', subject: other.id, mode: null });
});

test('200 ends the calling session itself', async (t) => {
  const ada = await signIn(server());
  const { sessions } = await (await ada.call('/api/v1/dashboard/sessions')).json();

  t.like(await (await end(ada, sessions[0].id)).json(), { isCurrent: true });
  t.deepEqual(await refusalIn(await ada.call('/api/v1/payments')), [401, 'invalid_session']);
});

test('404 for a session that has ended, and for one of another user of the merchant', async (t) => {
  const ada = await signIn(server());
  const other = await signInElsewhere(ada);
  const grace = await signIn(server(), ada.merchant);

  t.deepEqual(await refusalIn(await end(grace, other.id)), [404, 'resource_not_found']);
  t.is((await other.call('/api/v1/payments')).status, 200);
  await end(ada, other.id);
  t.deepEqual(await refusalIn(await end(ada, other.id)), [404, 'resource_not_found']);
});

test('400 when the id is not a UUID', async (t) => {
  const response = await end(await signIn(server()), 'this');

  t.deepEqual(await refusalIn(response), [400, 'invalid_parameter']);
});
