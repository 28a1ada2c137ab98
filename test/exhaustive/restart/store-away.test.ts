/** Tests that a server that cannot reach the MongoDB of its schedule answers calls, and can be stopped. */
import test from 'ava';
import { createTestDatabase } from '../../support/database/database.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { spawnTillhook } from '../../support/server/process.ts';

/** No MongoDB listens at this URL, so the driver keeps trying to connect. */
const storeThatIsAway = 'mongodb://127.0.0.1:1/schedule?serverSelectionTimeoutMS=500';

const answerOf = async (url: string, path: string) => {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: (await response.json()) as { checks?: Record<string, boolean> } };
};

test('while the store of the schedule is unavailable, the server answers calls, says that it waits for the store, and is not ready', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const env = { MONGODB_URL: storeThatIsAway, LOG_LEVEL: 'warn' };
  const server = spawnTillhook(t, testEnvironment(database.url, env));
  const url = await server.line('api ');

  await server.logged('The server is not ready yet and waits for its dependencies');
  t.is((await answerOf(url, '/healthz')).status, 200);
  t.is((await answerOf(url, '/openapi.json')).status, 200);
  t.like(await answerOf(url, '/readyz'), { status: 503, body: { checks: { schedule: false } } });
  server.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;

  t.is(code, 0);
  t.notRegex(stdout, /^ready$/m);
  t.regex(stderr, /"awaited":\["schedule"\]/);
});
