import test from 'ava';
import { Client } from 'pg';
import { createTestDatabase } from '../support/database/database.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';

const answerOf = async (url: string, path: string) => {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: (await response.json()) as { checks?: Record<string, boolean> } };
};

test('a server prints its addresses, and `ready` when /readyz answers 200; until then the server answers calls and says what it waits for', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const holder = new Client({ connectionString: database.url });
  holder.on('error', () => {});
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin; lock table agenda_jobs in access exclusive mode');
  const server = spawnTillhook(t, testEnvironment(database.url, { LOG_LEVEL: 'warn' }));
  const isReady = server.line('ready').then(() => true);
  const url = await server.line('docs ').then((docs) => docs.replace(/\/docs$/, ''));

  const before = await Promise.race([isReady, answerOf(url, '/readyz')]);
  t.like(before, { status: 503, body: { checks: { database: true, schedule: false } } });
  await server.logged('The server is not ready yet and waits for its dependencies');
  t.is((await answerOf(url, '/healthz')).status, 200);
  t.is((await answerOf(url, '/openapi.json')).status, 200);
  await holder.query('rollback');
  await isReady;

  t.is((await answerOf(url, '/readyz')).status, 200);
  server.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;
  t.is(code, 0);
  t.regex(stderr, /"awaited":\["schedule"\]/);
  t.deepEqual(stdout.trimEnd().split('\n'), [`api ${url}`, `dashboard ${url}/dashboard`, `docs ${url}/docs`, 'ready']);
});
