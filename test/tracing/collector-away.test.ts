/** A collector that fails costs spans, and nothing else. */
import { Tillhook } from '@tillhook/sdk';
import { loadConfig } from '@tillhook/server';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { createTracer } from '@tillhook/server/src/tracing/create-tracer.ts';
import test, { type ExecutionContext } from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/network/free-port.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { startCollector } from '../support/tracing/collector.ts';

/** A server whose collector is at this address, after a call that is traced. */
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

test('a server whose collector cannot be reached answers calls, says so once, and stops', async (t) => {
  const { server, client } = await serverWithCollector(t, `http://127.0.0.1:${await freePort()}`);

  await server.logged('Traces cannot be sent, and are lost until they can');
  await client.account.get();
  server.kill('SIGTERM');
  const { code, stderr } = await server.ended;

  t.is(code, 0);
  t.is(stderr.match(/Traces cannot be sent/g)?.length, 1);
});

test('a collector that never answers does not keep a server from stopping', async (t) => {
  const collector = await startCollector(t, null);
  const { server } = await serverWithCollector(t, collector.url);
  await eventually(() => collector.requests.length, 1);

  server.kill('SIGTERM');

  t.is((await server.ended).code, 0);
});

/** A tracer without a server, and the lines of its log. */
async function tracerFor(collectorUrl: string) {
  const lines: { msg: string }[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const tracer = await createTracer(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl }), log);
  const ended = { operationId: 'getAccount', route: undefined, method: 'GET', status: 200, isAborted: false };
  const traceOneCall = () => tracer.beginCall(undefined)?.end({ ...ended, requestId: 'req_1', caller: undefined });
  return { tracer, lines, traceOneCall };
}

test('the log has one line when sending fails and one when it works again', async (t) => {
  const collector = await startCollector(t, 400);
  const { tracer, lines, traceOneCall } = await tracerFor(collector.url);
  for (const sent of [1, 2]) {
    traceOneCall();
    await eventually(() => collector.requests.length, sent);
  }
  await eventually(() => lines.length, 1);

  collector.setStatus(200);
  traceOneCall();
  await eventually(() => lines.length, 2);
  await tracer.stop();

  t.deepEqual(
    lines.map(({ msg }) => msg),
    ['Traces cannot be sent, and are lost until they can', 'Traces can be sent again'],
  );
});

test('spans wait for a collector that hangs up to a limit, and the stop does not wait for it', async (t) => {
  const collector = await startCollector(t, null);
  const { tracer, lines, traceOneCall } = await tracerFor(collector.url);

  for (let made = 0; made < 20_000; made += 1) traceOneCall();
  await eventually(
    () => collector.requests.length,
    (count) => count > 0,
  );
  await tracer.stop();

  const arrived = collector.requests.flatMap(({ text }) => text.match(/"name":"getAccount"/g) ?? []);
  t.true(arrived.length <= 512 + 4096, `${arrived.length} spans were kept`);
  t.deepEqual(lines, [], 'the stop is over before the collector has failed');
});
