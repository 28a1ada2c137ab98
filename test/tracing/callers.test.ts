/** What the `traceparent` of a caller decides: whether its trace goes on, and whether a call is traced at all. */
import test from 'ava';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { startCollector } from '../support/tracing/collector.ts';
import { createCheckout, spanOf, tracedMerchant } from '../support/tracing/traced-merchant.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

/** The collector of the server that most tests share. They find their spans by their merchants. */
const collector = await startCollector({ teardown: (end) => test.after.always(end) });
const server = serverForFile({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

const pay = ({ checkoutUrl }: { checkoutUrl: string }) => payByForm(checkoutUrl, '4242424242424242');

test('the trace of a caller goes on, and nothing else of its context is stored or sent', async (t) => {
  const { merchant, receiver, spanOf } = await tracedMerchant(t, { on: server(), from: collector });
  const headers = {
    traceparent: `00-${traceId}-${callerSpan}-01`,
    tracestate: 'vendor=hidden',
    baggage: 'user=hidden',
  };

  await pay(await createCheckout(server(), merchant, headers));

  const attempt = await spanOf('deliver checkout.success', 1);
  const call = await spanOf('createCheckout');
  t.deepEqual([call.traceId, call.parentSpanId, attempt.traceId], [traceId, callerSpan, traceId]);
  const [delivery] = receiver.deliveries;
  t.is(delivery?.headers.traceparent, `00-${traceId}-${attempt.spanId}-01`);
  t.notRegex(JSON.stringify([delivery?.headers, collector.requests]), /hidden/);
  const stored = await server().database.query('select * from event, payment where payment.merchant_id = $1', [
    merchant.id,
  ]);
  t.true(stored.length > 0);
  t.notRegex(JSON.stringify(stored), /hidden/);
});

test('a malformed traceparent is ignored: the call is answered as usual and begins a trace', async (t) => {
  const { merchant, spanOf } = await tracedMerchant(t, { on: server(), from: collector });

  const { requestId } = await createCheckout(server(), merchant, { traceparent: `00-${traceId}-${callerSpan}-1` });

  const call = await spanOf('createCheckout');
  t.is(call.attributes['tillhook.request_id'], requestId);
  t.is(call.parentSpanId, undefined);
  t.not(call.traceId, traceId);
});

test('a call that is not sampled leaves no span, no stored position and no header, and one that its caller samples does', async (t) => {
  const from = await startCollector(t);
  const on = await startServer(t, {
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

test('with a sampler that does not follow callers, a caller chooses no trace id', async (t) => {
  const from = await startCollector(t);
  const on = await startServer(t, { OTEL_EXPORTER_OTLP_ENDPOINT: from.url, OTEL_TRACES_SAMPLER: 'always_on' });
  const { merchant } = await tracedMerchant(t, { on, from });
  await createCheckout(on, merchant, { traceparent: `00-${traceId}-${callerSpan}-01` });

  const call = await spanOf(from, merchant, { name: 'createCheckout' });

  t.not(call.traceId, traceId);
  t.deepEqual(call.links, [{ traceId, spanId: callerSpan }]);
});
