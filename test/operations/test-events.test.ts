import { NotFoundError, Tillhook } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { selfSigned } from '../support/network/certificates.ts';
import { answersOk, closesInBody, continues } from '../support/receivers/bad-answers.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

const server = serverForFile();

test('sendTestEvent 200 sends a test.event that the SDK verifies, and returns the answer of the receiver', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });

  const { success, data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.true(success);
  t.like(data, { event: 'test.event', attempt: 1, delivered: true, statusCode: 200, error: null, responseBody: 'ok' });
  const [delivery] = receiver.deliveries;
  const event = await unwrap(delivery?.body ?? '', delivery?.headers ?? {}, endpoint.secret);
  t.like(event, { event: 'test.event', webhookId: endpoint.id, data: { status: 'completed' } });
  t.is(delivery?.headers['x-service-delivery-id'], data.deliveryId);
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 1, failureCount: 0 });
});

test('sendTestEvent 200 with the error when the receiver fails, and without a retry', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 500, body: 'broken' }));
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });

  const { success, data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.true(success);
  t.like(data, { delivered: false, statusCode: 500, error: null, responseBody: 'broken' });
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 0, failureCount: 1 });
  t.like(await client.deliveries.get(data.deliveryId), { status: 'failed', nextAttemptAt: null });
  t.deepEqual(
    await server().database.query('select from pending_delivery where delivery_id = $1', [data.deliveryId]),
    [],
  );
});

test('sendTestEvent 200 with the error when the receiver is unreachable', async (t) => {
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: unreachableUrl });

  const { data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.like(data, { delivered: false, statusCode: null, error: 'connection_refused', responseBody: null });
});

test('sendTestEvent 200 with the reason in a sentence when the receiver’s certificate is refused', async (t) => {
  const { port } = await startRawReceiver(t, answersOk, selfSigned('127.0.0.1'));
  const url = `https://127.0.0.1:${port}/`;
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url });
  const mock = await startMockInRun();
  t.teardown(() => mock.stop());
  const onMock = new Tillhook('sk_test_any', { baseUrl: mock.url });
  const { id } = await onMock.webhookEndpoints.register({ url });
  const expected = {
    delivered: false,
    error: 'tls_failed',
    errorDetail: 'The certificate of the receiver is self-signed: no authority has issued it.',
  };

  t.like((await client.webhookEndpoints.sendTest(endpoint.id)).data, expected);
  t.like((await onMock.webhookEndpoints.sendTest(id)).data, expected);
});

test('sendTestEvent 200 reports a success when the receiver sends 100 first, and when the response body breaks off', async (t) => {
  const { client } = await server().createMerchant();
  for (const [answer, responseBody] of [[continues, 'ok'] as const, [closesInBody, 'half'] as const]) {
    const { port } = await startRawReceiver(t, answer);
    const endpoint = await client.webhookEndpoints.register({ url: `http://127.0.0.1:${port}/` });

    const { data } = await client.webhookEndpoints.sendTest(endpoint.id);

    t.like(data, { delivered: true, statusCode: 200, error: null, responseBody });
  }
});

test('sendTestEvent 200 for an inactive endpoint', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });
  await server().database.query('update webhook_endpoint set is_active = false where id = $1', [id]);

  t.true((await client.webhookEndpoints.sendTest(id)).data.delivered);
});

test('sendTestEvent 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.sendTest('first')), { code: 'invalid_parameter', param: 'id' });
});

test('sendTestEvent 404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.sendTest(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.sendTest(id), { instanceOf: NotFoundError });
});
