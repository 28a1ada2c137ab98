import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { startCollector } from '../support/tracing/collector.ts';

const tracedLines = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"traceId"'))
    .map((line) => JSON.parse(line) as { msg: string; traceId: string; requestId?: string });

test('a worker continues the trace of an API in another process, the logs of the two processes contain the trace, and a stop sends all spans', async (t) => {
  const collector = await startCollector(t);
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const receiver = await startReceiver({ answer: (_delivery, index) => ({ status: index === 0 ? 503 : 200 }) });
  t.teardown(() => receiver.stop());
  const shared = { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'payments' };
  const api = spawnTillhook(t, testEnvironment(database.url, { ...shared, ROLE: 'api', SEED_DEMO: 'true' }));
  const [url, key] = [await api.line('api '), await api.line('test key ')];
  const client = new Tillhook(key, { baseUrl: url });
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500 });
  await client.testHelpers.completePayment(data.reference);
  const call = await collector.waitFor(({ name }) => name === 'testCompletePayment');
  const event = await collector.waitFor(({ name }) => name === 'publish checkout.success');

  const worker = spawnTillhook(t, testEnvironment(database.url, { ...shared, ROLE: 'worker' }));
  const second = await collector.waitFor(({ attributes }) => attributes['tillhook.attempt'] === 2);
  const first = await collector.waitFor(({ attributes }) => attributes['tillhook.attempt'] === 1);

  for (const attempt of [first, second])
    t.deepEqual([attempt.traceId, attempt.parentSpanId], [call.traceId, event.spanId]);
  t.like(call.resource, { 'service.name': 'payments', 'tillhook.role': 'api' });
  t.like(first.resource, { 'service.name': 'payments', 'tillhook.role': 'worker' });
  await client.account.get();
  for (const process of [api, worker]) process.kill('SIGTERM');
  const [ofApi, ofWorker] = [await api.ended, await worker.ended];
  t.deepEqual([ofApi.code, ofWorker.code], [0, 0]);
  t.true(collector.spans.some(({ name }) => name === 'getAccount'));
  const calls = tracedLines(ofApi.stderr).filter((line) => line.traceId === call.traceId);
  t.deepEqual(
    calls.map(({ msg, requestId }) => [msg, requestId]),
    [['A request ended', call.attributes['tillhook.request_id']]],
  );
  t.deepEqual(
    tracedLines(ofWorker.stderr).map((line) => [line.msg, line.traceId]),
    [
      ['A delivery was attempted', call.traceId],
      ['A delivery was attempted', call.traceId],
    ],
  );
});
