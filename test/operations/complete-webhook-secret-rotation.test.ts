import { generateSecret, NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const masked = (secret: string) => `whsec_••••••••${secret.slice(-4)}`;

const rotationOf = async (id: string) => {
  const [row] = await server().database.query('select secret_rotation from webhook_endpoint where id = $1', [id]);
  return row?.secret_rotation;
};

test('200 makes the staged secret current, and returns it masked', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  const endpoint = await client.webhookEndpoints.completeSecretRotation(id);

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
  t.deepEqual(await client.webhookEndpoints.get(id), endpoint);
  t.like(await rotationOf(id), { next: null, previous: { until: endpoint.oldSecretEndsAt } });
});

test('200 with revokeOld deletes the old secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);

  await client.webhookEndpoints.completeSecretRotation(id, { revokeOld: true });

  t.is(await rotationOf(id), null);
});

test('200 without a staged secret returns the endpoint unchanged', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const before = await client.webhookEndpoints.get(id);

  t.deepEqual(await client.webhookEndpoints.completeSecretRotation(id), before);
});

test('200 with revokeOld after the rotation was completed deletes the old secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 0 });

  const endpoint = await client.webhookEndpoints.completeSecretRotation(id, { revokeOld: true });

  t.is(endpoint.secret, masked(next));
  t.false('oldSecretEndsAt' in endpoint);
  t.is(await rotationOf(id), null);
});

test('200 for two concurrent calls completes once, so that the old secret still signs', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);
  const { completeSecretRotation } = client.webhookEndpoints;

  await Promise.all([completeSecretRotation(id), completeSecretRotation(id), completeSecretRotation(id)]);

  const { previous } = (await rotationOf(id)) as { previous: { sealed: string } };
  t.is(await server().arrange('unseal', { sealed: previous.sealed, id }), secret);
});

test('400 when revokeOld is not a boolean', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const completing = client.webhookEndpoints.completeSecretRotation(id, { revokeOld: 'yes' as never });

  t.like(await t.throwsAsync(completing), { code: 'invalid_parameter', param: 'revokeOld' });
});

test('404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  await owner.client.webhookEndpoints.rotateSecret(id);

  await t.throwsAsync(other.client.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
  t.truthy((await owner.client.webhookEndpoints.get(id)).nextSecretAt);
  await owner.client.webhookEndpoints.remove(id);
  await t.throwsAsync(owner.client.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
});
