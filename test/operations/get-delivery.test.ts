import { startReceiver } from '@tillhook/mock/receiver';
import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const slowServer = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '3600000' });

test('200 shows the sent request without its signatures, and all attempts in order', async (t) => {
  const receiver = await startReceiver({
    answer: (_delivery, index) => ({ status: index === 0 ? 503 : 200, body: index === 0 ? 'restarting' : 'ok' }),
  });
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);
  const arrived = await receiver.waitFor(2);
  const sent = arrived.at(-1);
  await waitForDeliveries(client);

  const delivery = await client.deliveries.get(String(sent?.headers['x-service-delivery-id']));

  t.like(delivery, { status: 'delivered', attemptCount: 2 });
  t.is(delivery.request.body, String(sent?.body));
  const shown = Object.entries(delivery.request.headers);
  t.deepEqual(shown.map(([name]) => name).sort(), [
    'Content-Type',
    'User-Agent',
    'X-Service-Attempt',
    'X-Service-Delivery-Id',
    'X-Service-Event',
    'X-Service-Webhook-Id',
    'webhook-id',
    'webhook-timestamp',
  ]);
  for (const [name, value] of shown) t.is(value, String(sent?.headers[name.toLowerCase()]));
  t.like(delivery.attempts, [
    { attempt: 1, statusCode: 503, error: null, responseBody: 'restarting', responseTruncated: false },
    { attempt: 2, statusCode: 200, error: null, responseBody: 'ok', responseTruncated: false },
  ]);
  for (const [index, { requestHeaders }] of delivery.attempts.entries()) {
    const got = arrived[index]?.headers ?? {};
    const names = Object.keys(requestHeaders);
    t.deepEqual(names.sort(), Object.keys(delivery.request.headers).sort());
    for (const name of names) t.is(requestHeaders[name], String(got[name.toLowerCase()]), `${name} of ${index + 1}`);
  }
});

test('200 shows why an attempt got no answer', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.webhookEndpoints.sendTest(id);

  const { event, status, statusReason, attempts } = await client.deliveries.get(data.deliveryId);

  t.deepEqual([event, status, statusReason], ['test.event', 'failed', 'attempts_exhausted']);
  t.like(attempts, [{ statusCode: null, error: 'connection_refused', responseHeaders: null, responseBody: null }]);
});

test('200 shows to which address each attempt was sent, also when the endpoint has another one now', async (t) => {
  const [first, second] = [await startReceiver({ answer: () => ({ status: 500 }) }), await startReceiver()];
  t.teardown(() => Promise.all([first.stop(), second.stop()]));
  const { client } = await slowServer().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: first.url });
  await payOnce(client);
  const [sent] = await first.waitFor(1);
  const shown = async () => {
    const { url, attempts } = await client.deliveries.get(String(sent?.headers['x-service-delivery-id']));
    return [url, ...attempts.map((attempt) => attempt.url)];
  };
  await eventually(shown, [first.url, first.url]);

  await client.webhookEndpoints.update(id, { url: second.url });
  await client.test.advanceTime({ seconds: 90_000 });

  await eventually(shown, [second.url, first.url, second.url]);
  t.deepEqual(await shown(), [second.url, first.url, second.url]);
});

test('200 shows the request before the first attempt', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });

  const { status, nextAttemptAt, attempts, request } = await merchant.client.deliveries.get(id);

  t.is(status, 'pending');
  t.truthy(nextAttemptAt);
  t.deepEqual(attempts, []);
  t.false('X-Service-Attempt' in request.headers || 'webhook-timestamp' in request.headers);
  t.is(JSON.parse(request.body).webhookId, webhookId);
});

test('200 has no time of the next attempt while an attempt is running', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  await server().database.query('update owed_delivery set lease = gen_random_uuid() where delivery_id = $1', [id]);

  t.like(await merchant.client.deliveries.get(id), { status: 'pending', nextAttemptAt: null });
});

test('200 shows a delivery of a removed endpoint', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.remove(webhookId);

  t.like(await merchant.client.deliveries.get(id), { id, webhookId, url: unreachableUrl });
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.deliveries.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the delivery belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), owner, { webhookId });

  await t.throwsAsync(other.client.deliveries.get(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.deliveries.get(id), { instanceOf: NotFoundError });
});
