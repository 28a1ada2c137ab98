/** What becomes of an answer that the contract does not describe: it is made after the operation has been committed. */
import test, { type ExecutionContext } from 'ava';
import { loggedErrors } from '../support/server/logged-errors.ts';
import { startServer } from '../support/server/tillhook.ts';

async function callWithUnknownScope(t: ExecutionContext, environment: string) {
  const server = await startServer(t, { NODE_ENV: environment, ROLE: 'api' });
  const errors = loggedErrors(server);
  const { id, testKey } = await server.createMerchant();
  await server.database.query(`update api_key set scopes = '{moon:read}' where merchant_id = $1`, [id]);
  // Not by the fetch of the tests, which would refuse the answer itself.
  const response = await fetch(`${server.url}/api/v1/me`, { headers: { Authorization: `Bearer ${testKey}` } });
  return { response, errors };
}

test('outside tests, a wrong answer is sent and logged, because what was asked has been done', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'development');

  t.is(response.status, 200);
  t.like(await response.json(), { key: { scopes: ['moon:read'] } });
  t.regex(errors.join(), /scopes/);
});

test('in tests, a wrong answer fails', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'test');

  t.is(response.status, 500);
  t.regex(errors.join(), /scopes/);
});

test('in production, answers are not checked', async (t) => {
  const { response, errors } = await callWithUnknownScope(t, 'production');

  t.is(response.status, 200);
  t.deepEqual(errors, []);
});
