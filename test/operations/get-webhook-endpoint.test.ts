import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 returns the endpoint with its secret masked', async (t) => {
  const { client } = await server().createMerchant();
  const { secret, ...registered } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.get(registered.id);

  t.deepEqual(endpoint, { ...registered, secret: `whsec_••••••••${secret.slice(-4)}` });
});

test('200 says why and when the service disabled an endpoint', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await server().database.query(
    `update webhook_endpoint set is_active = false, disabled_reason = 'repeated_failures',
     disabled_at = '2026-11-21T10:15:30.250Z' where id = $1`,
    [id],
  );

  t.like(await client.webhookEndpoints.get(id), {
    isActive: false,
    disabledReason: 'repeated_failures',
    disabledAt: '2026-11-21T10:15:30.250Z',
  });
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the endpoint was removed', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.get(id), { instanceOf: NotFoundError });
});

test('404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.get(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.get(id), { instanceOf: NotFoundError });
});
