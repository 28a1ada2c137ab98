import { loadConfig } from '@tillhook/server';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { createTracer } from '@tillhook/server/src/telemetry/tracing/create-tracer.ts';
import { publish } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { recipient } from '../support/money/transfers.ts';
import { ownServerForFile } from '../support/server/tillhook.ts';
import { startCollector } from '../support/tracing/collector.ts';
import { createCheckout, spanOf, tracedMerchant } from '../support/tracing/traced-merchant.ts';

/** Most tests share this collector, and each test finds its spans by its merchant. */
const collector = await startCollector({ teardown: (end) => test.after.always(end) });
const server = ownServerForFile({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

const here = () => ({ on: server(), from: collector });
const pay = ({ checkoutUrl }: { checkoutUrl: string }) => payByForm(checkoutUrl, '4242424242424242');

test('one trace contains the call, its event and the two attempts to deliver the event, the first of which failed', async (t) => {
  const { merchant, receiver, spanOf } = await tracedMerchant(t, { ...here(), statuses: [500] });
  const { reference } = await createCheckout(server(), merchant);

  await merchant.client.testHelpers.completePayment(reference);

  const second = await spanOf('deliver checkout.success', 2);
  const first = await spanOf('deliver checkout.success', 1);
  const event = await spanOf('publish checkout.success');
  const call = await spanOf('testCompletePayment');
  const creation = await spanOf('createCheckout');
  t.is(new Set([call, event, first, second].map((span) => span.traceId)).size, 1);
  t.deepEqual(
    [call, event, first, second].map(({ parentSpanId, kind, isError }) => ({ parentSpanId, kind, isError })),
    [
      { parentSpanId: undefined, kind: 2, isError: false },
      { parentSpanId: call.spanId, kind: 4, isError: false },
      { parentSpanId: event.spanId, kind: 3, isError: true },
      { parentSpanId: event.spanId, kind: 3, isError: false },
    ],
  );
  t.deepEqual(
    event.links,
    [{ traceId: creation.traceId, spanId: creation.spanId }],
    'the call that created the payment',
  );
  t.like(call.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/v1/test-helpers/payments/{reference}/complete',
    'http.response.status_code': 200,
    'tillhook.mode': 'test',
  });
  t.regex(String(call.attributes['tillhook.request_id']), /^req_/);
  const [delivery] = receiver.deliveries;
  t.deepEqual(first.attributes, {
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(receiver.url).port),
    'http.request.method': 'POST',
    'http.response.status_code': 500,
    'error.type': '500',
    'tillhook.attempt': 1,
    'tillhook.delivery_id': delivery?.headers['x-service-delivery-id'],
    'tillhook.event_id': delivery?.headers['webhook-id'],
    'tillhook.webhook_id': delivery?.headers['x-service-webhook-id'],
    'tillhook.merchant_id': merchant.id,
    'tillhook.mode': 'test',
  });
  t.is(second.attributes['http.response.status_code'], 200);
  t.deepEqual(
    receiver.deliveries.map(({ headers }) => headers.traceparent),
    [first, second].map((span) => `00-${span.traceId}-${span.spanId}-01`),
    'the header of each attempt has the position of that attempt',
  );
});

test('a payment on the hosted page belongs to the trace of the call that created it', async (t) => {
  const { merchant, spanOf } = await tracedMerchant(t, here());
  const checkout = await createCheckout(server(), merchant);

  await pay(checkout);

  const attempt = await spanOf('deliver checkout.success', 1);
  const event = await spanOf('publish checkout.success');
  const call = await spanOf('createCheckout');
  t.is(call.attributes['tillhook.request_id'], checkout.requestId);
  t.deepEqual([event.parentSpanId, attempt.parentSpanId], [call.spanId, event.spanId]);
  t.deepEqual(event.links, []);
});

test('the events of a transfer and of a refund belong to the traces of their calls', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await merchant.client.testHelpers.fundWallet({ amount: 1000 });

  await merchant.client.transfers.create({ reference: 'transfer-1', amount: 500, recipient: recipient() });
  await merchant.client.refunds.create('order-1042', { amount: 300 });

  for (const [operation, name] of [
    ['createTransfer', 'publish transfer.success'],
    ['createRefund', 'publish refund.success'],
  ] as const) {
    const published = await spanOf(collector, merchant, { name });
    const call = await spanOf(collector, merchant, { name: operation });
    t.deepEqual([published.traceId, published.parentSpanId], [call.traceId, call.spanId], operation);
  }
});

test('a test event and its attempt belong to the trace of their call', async (t) => {
  const { merchant, spanOf } = await tracedMerchant(t, here());
  const { webhooks } = await merchant.client.webhookEndpoints.list();

  await merchant.client.webhookEndpoints.sendTest(webhooks[0]?.id ?? '');

  const attempt = await spanOf('deliver test.event', 1);
  const event = await spanOf('publish test.event');
  const call = await spanOf('sendTestEvent');
  t.deepEqual([event.parentSpanId, attempt.parentSpanId], [call.spanId, event.spanId]);
});

test('an event whose transaction is rolled back leaves no span', async (t) => {
  const { id: merchantId, client, ...keys } = await server().createMerchant();
  const { context } = server();
  const span = context.tracer.beginCall(undefined);
  const customerEmail = 'ada@example.com';
  const data = { reference: 'order-1', amount: 1, currency: 'NGN', status: 'completed', customerEmail } as const;
  const event = { merchantId, mode: 'test', name: 'checkout.success', reference: 'order-1' } as const;

  await t.throwsAsync(
    inTransaction({ ...withFreshEntityManager(context), span }, async (tx) => {
      await publish(tx, { ...event, data, occurredAt: new Date(), traceparent: null });
      throw new Error('Rolled back.');
    }),
    { message: 'Rolled back.' },
  );

  await client.account.get();
  await spanOf(collector, { id: merchantId, client, ...keys }, { name: 'getAccount' });
  t.true(span !== undefined);
  t.false(collector.spans.some((sent) => sent.traceId === span?.traceId));
});

test('spans contain no secret, no URL and no data of a customer', async (t) => {
  const { merchant, spanOf } = await tracedMerchant(t, { ...here(), path: '/token-in-path?token=1' });
  const checkout = await createCheckout(server(), merchant);
  await pay(checkout);
  const sought = await server().request('/api/v1/no/such/address?token=1', { key: merchant.testKey });
  await spanOf('deliver checkout.success', 1);
  const requestId = sought.headers.get('x-request-id');
  const unknown = await collector.waitFor(({ attributes }) => attributes['tillhook.request_id'] === requestId);

  const text = collector.requests.map((request) => request.text).join();
  const code = checkout.checkoutUrl.split('/').at(-1) ?? 'none';
  for (const hidden of [merchant.testKey, code, checkout.reference, 'example.com', 'token', '4242424242', 'no/such'])
    t.false(text.includes(hidden), hidden);
  t.is(unknown.name, 'GET', 'a path that callers invent does not become the name of a span');
  t.is(unknown.attributes['http.response.status_code'], 404);
  t.true(
    collector.requests.every(({ path, headers }) => path === '/v1/traces' && headers['x-collector-key'] === 'a key'),
  );
});

test('a request for the hosted page has no span', async (t) => {
  const { merchant, spanOf } = await tracedMerchant(t, here());
  await pay(await createCheckout(server(), merchant));
  await spanOf('deliver checkout.success', 1);

  const names = new Set(collector.spans.map(({ name }) => name));
  t.false(names.has('POST'), [...names].join());
});

test('the trace of a caller is continued, and its tracestate and baggage are neither stored nor sent', async (t) => {
  const { merchant, receiver, spanOf } = await tracedMerchant(t, here());
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
  const { merchant, spanOf } = await tracedMerchant(t, here());

  const { requestId } = await createCheckout(server(), merchant, { traceparent: `00-${traceId}-${callerSpan}-1` });

  const call = await spanOf('createCheckout');
  t.is(call.attributes['tillhook.request_id'], requestId);
  t.is(call.parentSpanId, undefined);
  t.not(call.traceId, traceId);
});

async function tracerFor(collectorUrl: string) {
  const lines: { msg: string }[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const tracer = await createTracer(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl }), log);
  const ended = { operationId: 'getAccount', route: undefined, method: 'GET', status: 200, isAborted: false };
  const traceOneCall = () => tracer.beginCall(undefined)?.end({ ...ended, requestId: 'req_1', caller: undefined });
  return { tracer, lines, traceOneCall };
}

test('the log has one line when an export fails and one line when an export succeeds again', async (t) => {
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
    ['Failed to export traces; spans are dropped until an export succeeds', 'Exporting traces succeeds again'],
  );
});

test('while the collector hangs, a limited number of spans wait, and the stop of the tracer does not wait for the collector', async (t) => {
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
  t.deepEqual(lines, [], 'the stop ends before the collector has failed');
});
