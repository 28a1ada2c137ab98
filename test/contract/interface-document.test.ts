/** These tests use neither the SDK nor its types, because the interface document fixes names and values exactly. */
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function post(path: string, body: unknown, headers: Record<string, string>) {
  const json = { ...headers, 'content-type': 'application/json' };
  return server().request(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
}

test('a checkout link is created with a key in x-api-key', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await post(
    '/api/v1/payments/checkout',
    { email: 'ada@example.com', amount: 500_000 },
    { 'x-api-key': testKey },
  );

  const body = await response.json();
  t.deepEqual(Object.keys(body), ['success', 'message', 'data']);
  t.deepEqual(Object.keys(body.data), ['checkoutUrl', 'reference', 'accessCode']);
  t.true(body.success);
  t.is(typeof body.message, 'string');
  t.true(URL.canParse(body.data.checkoutUrl));
  t.is(typeof body.data.reference, 'string');
  t.regex(body.data.accessCode, uuid);
});

test('a webhook endpoint is registered with a Bearer key', async (t) => {
  const { testKey, id } = await server().createMerchant();

  const response = await post(
    '/api/v1/merchant-webhooks',
    { url: 'http://127.0.0.1:9/' },
    { authorization: `Bearer ${testKey}` },
  );

  const body = await response.json();
  t.deepEqual(Object.keys(body), [
    'id',
    'merchantId',
    'url',
    'secret',
    'events',
    'isActive',
    'mode',
    'successCount',
    'failureCount',
    'lastDeliveredAt',
    'createdAt',
  ]);
  t.regex(body.id, uuid);
  t.is(body.merchantId, id);
  t.regex(body.secret, /^whsec_/);
  t.is(body.events, '*');
  t.is(body.isActive, true);
  t.is(body.mode, 'test');
  t.is(body.successCount, 0);
  t.is(body.failureCount, 0);
  t.is(body.lastDeliveredAt, null);
  t.regex(body.createdAt, iso);
});

test('the mode of the key decides the mode of the endpoints that the key creates and lists', async (t) => {
  const { testKey, liveKey } = await server().createMerchant();
  t.regex(testKey, /^sk_test_/);
  t.regex(liveKey, /^sk_live_/);
  await post('/api/v1/merchant-webhooks', { url: 'http://127.0.0.1:9/' }, { authorization: `Bearer ${liveKey}` });

  const [live, inTest] = await Promise.all(
    [liveKey, testKey].map(async (key) => (await server().request('/api/v1/merchant-webhooks', { key })).json()),
  );

  t.deepEqual(
    live.webhooks.map(({ mode }: { mode: string }) => mode),
    ['live'],
  );
  t.deepEqual(inTest.webhooks, []);
});

test('a removed endpoint is no longer listed', async (t) => {
  const { testKey } = await server().createMerchant();
  const bearer = { authorization: `Bearer ${testKey}` };
  const { id } = await (await post('/api/v1/merchant-webhooks', { url: 'http://127.0.0.1:9/' }, bearer)).json();

  const removal = await server().request(`/api/v1/merchant-webhooks/${id}`, { method: 'DELETE', key: testKey });

  t.is(removal.status, 200);
  t.is((await (await server().request('/api/v1/merchant-webhooks', { key: testKey })).json()).total, 0);
});

test('lists take `limit`, which is 20 when omitted, and `offset`, which is 0 when omitted', async (t) => {
  const { testKey } = await server().createMerchant();

  const body = await (await server().request('/api/v1/transfers?limit=20&offset=0', { key: testKey })).json();

  t.deepEqual(body, { transfers: [], total: 0 });
  t.deepEqual(await (await server().request('/api/v1/transfers', { key: testKey })).json(), body);
});

test('a completed payment is delivered as the interface document shows', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { testKey, client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const session = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  await payByForm(session.data.checkoutUrl, '4242 4242 4242 4242');

  const [delivery] = await receiver.waitFor(1);
  const body = JSON.parse(String(delivery?.body));
  t.deepEqual(Object.keys(body), ['event', 'data', 'timestamp', 'webhookId']);
  t.deepEqual(body, {
    event: 'checkout.success',
    data: {
      reference: session.data.reference,
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'ada@example.com',
    },
    timestamp: body.timestamp,
    webhookId: endpoint.id,
  });
  t.regex(body.timestamp, iso);
  t.is(delivery?.method, 'POST');
  t.is(delivery?.headers['content-type'], 'application/json');
  t.is(delivery?.headers['x-service-event'], 'checkout.success');
  t.is(delivery?.headers['x-service-webhook-id'], endpoint.id);
  t.is(delivery?.headers['x-service-attempt'], '1');
  t.regex(String(delivery?.headers['x-service-signature']), /^[0-9a-f]{64}$/);
  t.is(
    (await (await server().request(`/api/v1/payments/${session.data.reference}`, { key: testKey })).json()).status,
    'completed',
  );
});

test('a test event is delivered with the same headers and signature as a real event', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url, events: ['transfer.failed'] });

  await client.webhookEndpoints.sendTest(endpoint.id);

  const [delivery] = await receiver.waitFor(1);
  t.is(JSON.parse(String(delivery?.body)).event, 'test.event');
  t.is(delivery?.headers['x-service-event'], 'test.event');
  t.is(delivery?.headers['x-service-attempt'], '1');
});
