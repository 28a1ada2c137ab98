/** Tests that a server whose collector fails loses only spans: it still answers calls, and can be stopped. */
import { Tillhook } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { createTestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/network/free-port.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { spawnTillhook } from '../../support/server/process.ts';
import { startCollector } from '../../support/tracing/collector.ts';

async function serverWithCollector(t: ExecutionContext, collectorUrl: string) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const env = { SEED_DEMO: 'true', LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl };
  const server = spawnTillhook(t, testEnvironment(database.url, env));
  const [url, key] = [await server.line('api '), await server.line('test key ')];
  const client = new Tillhook(key, { baseUrl: url });
  t.is((await client.account.get()).mode, 'test');
  return { server, client };
}

test('a server whose collector is unreachable answers calls, logs the failure once, and can be stopped', async (t) => {
  const { server, client } = await serverWithCollector(t, `http://127.0.0.1:${await freePort()}`);

  await server.logged('Failed to export traces; spans are dropped until an export succeeds');
  await client.account.get();
  server.kill('SIGTERM');
  const { code, stderr } = await server.ended;

  t.is(code, 0);
  t.is(stderr.match(/Failed to export traces/g)?.length, 1);
});

test('a collector that never answers does not keep a server from stopping', async (t) => {
  const collector = await startCollector(t, null);
  const { server } = await serverWithCollector(t, collector.url);
  await eventually(() => collector.requests.length, 1);

  server.kill('SIGTERM');

  t.is((await server.ended).code, 0);
});
