import { generateSecret, NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const masked = (secret: string) => `whsec_••••••••${secret.slice(-4)}`;

/** The time from now until then in seconds, rounded to ten. */
const secondsAhead = (at: string | undefined) => Math.round((Date.parse(at ?? '') - Date.now()) / 10_000) * 10;

test('200 stages a secret and keeps the current one, which it returns masked', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.rotateSecret(id, {
    secret: generateSecret(),
    switchAfterSeconds: 3600,
  });

  t.is(endpoint.secret, masked(secret));
  t.is(secondsAhead(endpoint.nextSecretAt), 3600);
  t.deepEqual(await client.webhookEndpoints.get(id), endpoint);
});

test('200 without a body stages a generated secret that becomes current after a day', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.rotateSecret(id);

  t.is(endpoint.secret, masked(secret));
  t.is(secondsAhead(endpoint.nextSecretAt), 86_400);
});

test('200 stores the staged secret encrypted', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();

  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  const [row] = await server().database.query('select * from webhook_endpoint where id = $1', [id]);
  t.true(JSON.stringify(row).includes(next.slice(-4)));
  t.false(JSON.stringify(row).includes(next.slice('whsec_'.length)));
});

test('200 switches at once when no time is left for the present secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();

  const endpoint = await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 0 });

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
});

test('200 replaces a secret that was staged before', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [mistake, next] = [generateSecret(), generateSecret()];
  await client.webhookEndpoints.rotateSecret(id, { secret: mistake, switchAfterSeconds: 60 });

  const endpoint = await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 7200 });

  t.is(secondsAhead(endpoint.nextSecretAt), 7200);
  t.is((await client.webhookEndpoints.completeSecretRotation(id)).secret, masked(next));
});

test('200 shows the staged secret as current after its deadline, without another request', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  await server().database.query(
    `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', '"2026-01-01T00:00:00.000Z"')
     where id = $1`,
    [id],
  );

  const endpoint = await client.webhookEndpoints.get(id);
  const { webhooks } = await client.webhookEndpoints.list();

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
  t.deepEqual(webhooks, [endpoint]);
});

const refused: [situation: string, body: object, param: string][] = [
  ['the secret lacks its prefix', { secret: 'x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' }, 'secret'],
  ['the secret is too short', { secret: 'whsec_x2bT0mJ5' }, 'secret'],
  ['the secret is not base64', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3-' }, 'secret'],
  ['the switch is in the past', { switchAfterSeconds: -1 }, 'switchAfterSeconds'],
  ['the switch is more than a week away', { switchAfterSeconds: 604_801 }, 'switchAfterSeconds'],
  ['the switch is no number', { switchAfterSeconds: 'soon' }, 'switchAfterSeconds'],
];

for (const [situation, body, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

    const rotating = client.webhookEndpoints.rotateSecret(id, body as never);

    t.like(await t.throwsAsync(rotating, { instanceOf: ValidationError }), { code: 'invalid_parameter', param });
    t.false('nextSecretAt' in (await client.webhookEndpoints.get(id)));
  });
}

test('400 when the secret is the current one', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const error = await t.throwsAsync(client.webhookEndpoints.rotateSecret(id, { secret }));

  t.like(error, { code: 'invalid_parameter', param: 'secret' });
  t.false(error?.message.includes(secret));
});

test('404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
  t.false('nextSecretAt' in (await owner.client.webhookEndpoints.get(id)));
  await owner.client.webhookEndpoints.remove(id);
  await t.throwsAsync(owner.client.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
});
