import type { Receiver } from '@tillhook/mock/receiver';
import { generateSecret } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import type { Context, WithPrincipal } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { completeRotations } from '@tillhook/server/src/webhooks/endpoints/complete-rotations.job.ts';
import {
  getWebhookEndpoint,
  listWebhookEndpoints,
  revealWebhookSecret,
} from '@tillhook/server/src/webhooks/endpoints/endpoints.service.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverWithContext, usualSettings } from '../support/server/tillhook.ts';

const server = serverWithContext(usualSettings);

type Sent = Receiver['deliveries'][number];

async function createRotating(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const { id, secret: old } = await client.webhookEndpoints.register({ url: receiver.url });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  let sent = 0;
  const deliver = async (): Promise<Sent> => {
    await payOnce(client);
    sent += 1;
    return (await receiver.waitFor(sent))[sent - 1] as Sent;
  };
  return { client, id, old, next, deliver };
}

async function accepted({ body, headers }: Sent, secret: string): Promise<string[]> {
  const { 'webhook-signature': _, ...withoutStandard } = headers;
  const tries = { 'webhook-signature': headers, 'x-service-signature': withoutStandard };
  const results = Object.entries(tries).map(async ([name, tried]) => {
    const isAccepted = await unwrap(body, tried, secret, { requireTimestamp: false }).then(
      () => true,
      () => false,
    );
    return isAccepted ? [name] : [];
  });
  return (await Promise.all(results)).flat();
}

const both = ['webhook-signature', 'x-service-signature'];
const standardOnly = ['webhook-signature'];

const moveRotation = (id: string, path: string) =>
  server().database.query(
    'update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, $2, to_jsonb($3::text)) where id = $1',
    [id, path, new Date(Date.now() - 60_000).toISOString()],
  );

test('while a secret is staged, the staged and the current secret sign webhook-signature, and the current secret signs X-Service-Signature', async (t) => {
  const { deliver, old, next } = await createRotating(t);

  const delivery = await deliver();

  t.deepEqual(await accepted(delivery, old), both);
  t.deepEqual(await accepted(delivery, next), standardOnly);
  t.is(String(delivery.headers['webhook-signature']).split(' ').length, 2);
});

test('after a rotation is completed the new secret is current, and the old secret still signs webhook-signature', async (t) => {
  const { deliver, old, next, client, id } = await createRotating(t);

  await client.webhookEndpoints.completeSecretRotation(id);

  const delivery = await deliver();
  t.deepEqual(await accepted(delivery, next), both);
  t.deepEqual(await accepted(delivery, old), standardOnly);
});

test('a revoked secret signs no further delivery', async (t) => {
  const { deliver, old, next, client, id } = await createRotating(t);

  await client.webhookEndpoints.completeSecretRotation(id, { revokeOld: true });

  const delivery = await deliver();
  t.deepEqual(await accepted(delivery, next), both);
  t.deepEqual(await accepted(delivery, old), []);
});

test('the staged secret becomes current at its deadline, without a job or a request', async (t) => {
  const { deliver, old, next, id } = await createRotating(t);

  await moveRotation(id, '{next,at}');

  const delivery = await deliver();
  t.deepEqual(await accepted(delivery, next), both);
  t.deepEqual(await accepted(delivery, old), standardOnly);
});

test('a day after a rotation is completed the old secret stops signing, without a job or a request', async (t) => {
  const { deliver, old, next, client, id } = await createRotating(t);
  await client.webhookEndpoints.completeSecretRotation(id);

  await moveRotation(id, '{previous,until}');

  const delivery = await deliver();
  t.deepEqual(await accepted(delivery, next), both);
  t.deepEqual(await accepted(delivery, old), []);
});

test('a test event, too, is signed with the current and the staged secret', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: receiver.url });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  await client.webhookEndpoints.sendTest(id);

  const [delivery] = await receiver.waitFor(1);
  t.deepEqual(await accepted(delivery as Sent, secret), both);
  t.deepEqual(await accepted(delivery as Sent, next), standardOnly);
});

test('while a secret is staged and an old secret still signs, a delivery has three signatures', async (t) => {
  const { deliver, old, next, client, id } = await createRotating(t);
  await client.webhookEndpoints.completeSecretRotation(id);
  const third = generateSecret();

  await client.webhookEndpoints.rotateSecret(id, { secret: third });

  const delivery = await deliver();
  t.deepEqual(await accepted(delivery, next), both);
  t.deepEqual(await accepted(delivery, old), standardOnly);
  t.deepEqual(await accepted(delivery, third), standardOnly);
});

test('a job stores rotations that are due, and removes secrets that no longer sign', async (t) => {
  const switched = await createRotating(t);
  const ended = await createRotating(t);
  const untouched = await createRotating(t);
  await moveRotation(switched.id, '{next,at}');
  await ended.client.webhookEndpoints.completeSecretRotation(ended.id);
  await moveRotation(ended.id, '{previous,until}');

  await Promise.all([completeRotations(server().context), completeRotations(server().context)]);

  const stored = async (id: string) =>
    (await server().database.query('select * from webhook_endpoint where id = $1', [id]))[0] as {
      sealed_secret: string;
      secret_last4: string;
      secret_rotation: { next: object | null; previous: { sealed: string } } | null;
    };
  const open = (sealed: string | undefined, id: string) => server().context.sealer.open(sealed ?? '', id);
  const row = await stored(switched.id);
  t.is(open(row.sealed_secret, switched.id), switched.next);
  t.is(row.secret_last4, switched.next.slice(-4));
  t.is(row.secret_rotation?.next, null);
  t.is(open(row.secret_rotation?.previous.sealed, switched.id), switched.old);
  t.is((await stored(ended.id)).secret_rotation, null);
  t.truthy((await stored(untouched.id)).secret_rotation?.next);
});

async function createDueRotation() {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [due, staged] = [generateSecret(), generateSecret()];
  await client.webhookEndpoints.rotateSecret(id, { secret: due });
  await moveRotation(id, '{next,at}');
  const isRotated = async (t: ExecutionContext) => {
    const endpoint = await client.webhookEndpoints.get(id);
    t.is(endpoint.secret.slice(-4), due.slice(-4));
    t.true('nextSecretAt' in endpoint, 'the secret that was staged in the meantime was overwritten');
    const { secret } = await client.webhookEndpoints.completeSecretRotation(id);
    t.is(secret.slice(-4), staged.slice(-4));
  };
  return {
    merchant,
    client,
    id,
    rotate: () => client.webhookEndpoints.rotateSecret(id, { secret: staged }),
    isRotated,
  };
}

test('a replay does not overwrite a rotation that is committed after the replay has read the endpoint', async (t) => {
  const { merchant, client, id, rotate, isRotated } = await createDueRotation();
  const [deliveryId] = await insertDeliveries(server(), merchant, { webhookId: id });
  const holder = new Client({ connectionString: server().database.url });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query('select from delivery where id = $1 for update', [deliveryId]);

  const replay = client.webhookEndpoints.replay(id, { since: '2026-01-01T00:00:00.000Z' });
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%taken as materialized%'`;
  await eventually(async () => (await server().database.query(waiting)).length, 1);
  await rotate();
  await holder.query('rollback');

  t.is((await replay).data.count, 1);
  await isRotated(t);
});

const readers: Record<string, (context: Context & WithPrincipal, id: string) => Promise<unknown>> = {
  getWebhookEndpoint,
  listWebhookEndpoints,
  revealWebhookSecret,
};

for (const [name, read] of Object.entries(readers)) {
  test(`a transaction that calls ${name} does not overwrite a rotation that is committed during the transaction`, async (t) => {
    const { merchant, id, rotate, isRotated } = await createDueRotation();
    const actor = { type: 'key', apiKeyId: id } as const;
    const principal = { merchantId: merchant.id, mode: 'test', currency: 'NGN', scopes: null, actor } as const;

    await inTransaction({ ...server().context, principal }, async (tx) => {
      await read(tx, id);
      await rotate();
    });

    await isRotated(t);
  });
}
