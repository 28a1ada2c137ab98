import { startReceiver } from '@tillhook/mock/receiver';
import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import {
  daysAgo,
  insertDeliveries,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 returns the event that a webhook names in webhook-id', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const reference = await payOnce(client);
  const [delivery] = await receiver.waitFor(1);
  await waitForDeliveries(client);

  const event = await client.events.get(String(delivery?.headers['webhook-id']));

  const { data, timestamp } = JSON.parse(String(delivery?.body));
  t.like(event, { event: 'checkout.success', data, timestamp, reference, mode: 'test' });
  t.deepEqual(event.deliveries, { pending: 0, delivered: 1, failed: 0, skipped: 0 });
});

test('200 tells when the event happened and when it was written', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const createdAt = daysAgo(9);
  await insertDeliveries(server(), merchant, { webhookId, reference: 'order-1', createdAt });
  const [listed] = (await merchant.client.events.list()).events;

  const event = await merchant.client.events.get(String(listed?.id));

  t.like(event, { timestamp: '2026-11-21T10:00:00.000Z', createdAt });
  t.deepEqual(listed, event);
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.events.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the event belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await payOnce(owner.client);
  const [event] = (await owner.client.events.list()).events;

  await t.throwsAsync(other.client.events.get(event?.id ?? ''), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.events.get(event?.id ?? ''), { instanceOf: NotFoundError });
});
