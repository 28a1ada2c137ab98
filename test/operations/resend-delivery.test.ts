import { startReceiver } from '@tillhook/mock/receiver';
import { NotFoundError } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { insertDeliveries, payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('202 sends the same event again as a new delivery', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);
  await waitForDeliveries(client);
  const [old] = (await client.deliveries.list()).deliveries;

  const { success, data } = await client.deliveries.resend(old?.id ?? '');

  t.true(success);
  t.like(data, { eventId: old?.eventId, status: 'pending', attemptCount: 0, resentFrom: old?.id });
  const [first, second] = await receiver.waitFor(2);
  t.is(String(second?.body), String(first?.body));
  t.is(second?.headers['webhook-id'], first?.headers['webhook-id']);
  t.is(second?.headers['x-service-delivery-id'], data.id);
  t.is(second?.headers['x-service-attempt'], '1');
  await t.notThrowsAsync(unwrap(second?.body ?? '', second?.headers ?? {}, endpoint.secret));
});

test('202 retries a resent delivery like any other', async (t) => {
  const receiver = await startReceiver({ answer: (_delivery, index) => ({ status: index < 2 ? 500 : 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });

  const { data } = await merchant.client.deliveries.resend(old);

  await receiver.waitFor(3);
  await waitForDeliveries(merchant.client);
  t.like(await merchant.client.deliveries.get(data.id), { status: 'delivered', attemptCount: 3 });
  t.like(await merchant.client.deliveries.get(old), { status: 'failed', attemptCount: 0 });
});

test('202 skips the new delivery if the endpoint is inactive, and says so', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.update(webhookId, { isActive: false });

  const { message, data } = await merchant.client.deliveries.resend(old);

  t.is(message, 'The endpoint is inactive, so nothing is sent');
  t.like(data, { status: 'skipped', statusReason: 'endpoint_inactive', nextAttemptAt: null });
  t.truthy(data.completedAt);
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.deliveries.resend('first')), { code: 'invalid_parameter', param: 'id' });
});

test('400 when the delivery is of a test event', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.webhookEndpoints.sendTest(id);

  t.like(await t.throwsAsync(client.deliveries.resend(data.deliveryId)), { code: 'invalid_parameter', param: 'id' });
  t.is((await client.deliveries.list()).total, 1);
});

test('404 when the endpoint was removed', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.remove(webhookId);

  await t.throwsAsync(merchant.client.deliveries.resend(old), { instanceOf: NotFoundError });
});

test('404 when the delivery belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), owner, { webhookId });

  await t.throwsAsync(other.client.deliveries.resend(old), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.deliveries.resend(old), { instanceOf: NotFoundError });
  t.is((await owner.client.deliveries.list()).total, 1);
});
