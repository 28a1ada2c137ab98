import { registerHooks } from 'node:module';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { startOwnServer } from '../support/server/tillhook.ts';
import { startCollector } from '../support/tracing/collector.ts';

/** prom-client always loads the package `api` of OpenTelemetry, which does nothing by itself. */
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\/(?!api\/)/.test(url)) loaded.add(url);
    return next(url, context);
  },
});

test.serial(
  'without a collector, OpenTelemetry is not loaded, nothing is stored, and receivers get no traceparent header',
  async (t) => {
    const server = await startOwnServer(t);
    const receiver = await receiverFor(t);
    const { client, testKey } = await server.createMerchant();
    await client.webhookEndpoints.register({ url: receiver.url });
    const created = await server.request('/api/v1/payments/checkout', {
      method: 'POST',
      key: testKey,
      headers: { 'content-type': 'application/json', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      body: JSON.stringify({ email: 'ada@example.com', amount: 500 }),
    });

    await payByForm((await created.json()).data.checkoutUrl, '4242424242424242');
    const [delivery] = await receiver.waitFor(1);

    t.deepEqual([...loaded], []);
    t.false('traceparent' in (delivery?.headers ?? {}));
    const stored = await server.database.query(
      'select event.traceparent as event, payment.traceparent as payment from event join payment using (reference)',
    );
    t.deepEqual(stored, [{ event: null, payment: null }]);
  },
);

test.serial('with a collector OpenTelemetry is loaded, which shows that the previous test can fail', async (t) => {
  const collector = await startCollector(t);

  // The import is not at the top of the file, because the test does not see modules that are imported there.
  const [{ loadConfig }, { createLogger }, { createTracer }] = await Promise.all([
    import('@tillhook/server'),
    import('@tillhook/server/src/kit/logger.ts'),
    import('@tillhook/server/src/telemetry/tracing/create-tracer.ts'),
  ]);
  const config = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const tracer = await createTracer(config, createLogger('silent'));
  t.teardown(() => tracer.stop());

  t.true(loaded.size > 10);
});
