import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 lists every endpoint, newest first, with masked secrets', async (t) => {
  const { client } = await server().createMerchant();
  const first = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });
  const second = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/2' });

  const { webhooks, total } = await client.webhookEndpoints.list();

  t.is(total, 2);
  t.deepEqual(webhooks, [
    { ...second, secret: `whsec_••••••••${second.secret.slice(-4)}` },
    { ...first, secret: `whsec_••••••••${first.secret.slice(-4)}` },
  ]);
});

test('200 is complete for any limit and offset', async (t) => {
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/2' });

  const { webhooks } = await client.webhookEndpoints.list({ limit: 1, offset: 1 });

  t.is(webhooks.length, 2);
});

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await owner.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });

  t.is((await other.client.webhookEndpoints.list()).total, 0);
  t.is((await owner.liveClient.webhookEndpoints.list()).total, 0);
});

test('400 when limit is out of bounds', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.list({ limit: 101 })), {
    code: 'invalid_parameter',
    param: 'limit',
  });
});
