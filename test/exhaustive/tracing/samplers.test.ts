/** Tests how OpenTelemetry's samplers sample calls with and without a trace of the caller. */
import test from 'ava';
import { payByForm } from '../../support/money/hosted-page.ts';
import { startOwnServer } from '../../support/server/tillhook.ts';
import { startCollector } from '../../support/tracing/collector.ts';
import { createCheckout, spanOf, tracedMerchant } from '../../support/tracing/traced-merchant.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

const pay = ({ checkoutUrl }: { checkoutUrl: string }) => payByForm(checkoutUrl, '4242424242424242');

test('a call that is not sampled leaves no span, no stored trace context and no header; a call that its caller samples leaves all three', async (t) => {
  const from = await startCollector(t);
  const on = await startOwnServer(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: from.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const { merchant, receiver, spanOf } = await tracedMerchant(t, { on, from });

  await pay(await createCheckout(on, merchant));
  await pay(await createCheckout(on, merchant, { traceparent: `00-${traceId}-${callerSpan}-00` }));
  await receiver.waitFor(2);
  const sampled = await createCheckout(on, merchant, { traceparent: `00-${traceId}-${callerSpan}-01` });
  await pay(sampled);

  await spanOf('deliver checkout.success', 1);
  await spanOf('createCheckout');
  t.deepEqual(from.spans.map(({ name }) => name).toSorted(), [
    'createCheckout',
    'deliver checkout.success',
    'publish checkout.success',
  ]);
  t.deepEqual(
    receiver.deliveries.map(({ headers }) => headers.traceparent !== undefined),
    [false, false, true],
  );
  const stored = await on.database.query<{ kept: number }>(
    `select count(event.traceparent)::int + count(payment.traceparent)::int as kept
     from event join payment using (reference) where payment.reference <> $1`,
    [sampled.reference],
  );
  t.deepEqual(stored, [{ kept: 0 }]);
});

test('with a sampler that ignores the parent, a caller cannot choose the trace id', async (t) => {
  const from = await startCollector(t);
  const on = await startOwnServer(t, { OTEL_EXPORTER_OTLP_ENDPOINT: from.url, OTEL_TRACES_SAMPLER: 'always_on' });
  const { merchant } = await tracedMerchant(t, { on, from });
  await createCheckout(on, merchant, { traceparent: `00-${traceId}-${callerSpan}-01` });

  const call = await spanOf(from, merchant, { name: 'createCheckout' });

  t.not(call.traceId, traceId);
  t.deepEqual(call.links, [{ traceId, spanId: callerSpan }]);
});
