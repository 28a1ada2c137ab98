import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, insertFailedAttempts } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 removes the endpoint', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });

  const removal = await client.webhookEndpoints.remove(id);

  t.deepEqual(removal, { success: true, message: 'Webhook endpoint removed', data: { id, deleted: true } });
  t.is((await client.webhookEndpoints.list()).total, 0);
});

test('200 ends the deliveries of the endpoint that wait for another attempt at once', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const { id: webhookId } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  await insertFailedAttempts(server(), [id]);

  await client.webhookEndpoints.remove(webhookId);

  await eventually(async () => (await client.deliveries.get(id)).status, 'skipped');
  t.like(await client.deliveries.get(id), { statusReason: 'endpoint_removed', nextAttemptAt: null });
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.remove('first')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the endpoint was removed before', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
});

test('404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });

  await t.throwsAsync(other.client.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
  t.is((await owner.client.webhookEndpoints.list()).total, 1);
});
