import { generateSecret } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile, serverWithoutRetries } from '../support/server/tillhook.ts';

const server = serverWithoutRetries();

async function failing(t: ExecutionContext, { status = 500, streak = 19, hours = 73 }) {
  const receiver = await startReceiver({ answer: () => ({ status }) });
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });
  await server().database.query(
    `update webhook_endpoint set failure_streak = $2, created_at = now() - $3::int * interval '1 hour' where id = $1`,
    [id, streak, hours],
  );
  const fail = async () => {
    await payOnce(client);
    await waitForDeliveries(client);
  };
  return { client, id, receiver, fail, get: () => client.webhookEndpoints.get(id) };
}

const streakOf = async (id: string) =>
  (await server().database.query('select failure_streak from webhook_endpoint where id = $1', [id]))[0]?.failure_streak;

test('the twentieth failed delivery in a row disables an endpoint that has had no success for 72 hours', async (t) => {
  const { fail, get } = await failing(t, {});

  await fail();

  const endpoint = await get();
  t.like(endpoint, { isActive: false, disabledReason: 'repeated_failures', failureCount: 1 });
  t.truthy(endpoint.disabledAt);
});

test('nineteen failed deliveries in a row do not disable an endpoint', async (t) => {
  const { fail, get, id } = await failing(t, { streak: 18 });

  await fail();

  t.true((await get()).isActive);
  t.is(await streakOf(id), 19);
});

test('twenty failed deliveries do not disable an endpoint that succeeded or was registered less than 72 hours ago', async (t) => {
  const { fail, get } = await failing(t, { hours: 71 });

  await fail();

  t.true((await get()).isActive);
});

test('a success sets the count of failures in a row to zero', async (t) => {
  const { fail, get, id } = await failing(t, { status: 200 });

  await fail();

  t.true((await get()).isActive);
  t.is(await streakOf(id), 0);
});

test('a failed test event increases failureCount, but not the count of failures in a row that disables the endpoint', async (t) => {
  const { client, get, id } = await failing(t, {});

  await client.webhookEndpoints.sendTest(id);

  t.like(await get(), { isActive: true, failureCount: 1 });
  t.is(await streakOf(id), 19);
});

test('410 from the receiver disables the endpoint with the reason endpoint_gone, until the merchant enables it', async (t) => {
  const { client, fail, get, id, receiver } = await failing(t, { status: 410, streak: 0, hours: 0 });
  await fail();
  t.like(await get(), { isActive: false, disabledReason: 'endpoint_gone' });
  receiver.setAnswer(() => ({ status: 200 }));

  const enabled = await client.webhookEndpoints.update(id, { isActive: true });
  await fail();

  t.false('disabledReason' in enabled);
  t.like(await get(), { isActive: true, successCount: 1 });
});

// The verifier of the Standard Webhooks project uses none of our code.

const usual = serverForFile();

async function registered(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const { client } = await usual().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: receiver.url });
  async function delivered() {
    const sent = receiver.deliveries.length;
    const reference = await payOnce(client);
    const delivery = (await receiver.waitFor(sent + 1))[sent];
    return { reference, body: delivery?.body ?? Buffer.of(), headers: delivery?.headers as Record<string, string> };
  }
  return { client, id, secret, delivered };
}

test('the package standardwebhooks verifies a delivery with the secret of the registration, and with no other secret', async (t) => {
  const { secret, delivered } = await registered(t);

  const { reference, body, headers } = await delivered();

  t.like(new Webhook(secret).verify(body, headers), { event: 'checkout.success', data: { reference } });
  t.throws(() => new Webhook(generateSecret()).verify(body, headers), { message: 'No matching signature found' });
  t.throws(() => new Webhook(secret).verify(`${body} `, headers), { message: 'No matching signature found' });
});

test('the package standardwebhooks verifies with the old secret and with the new secret, before and after the switch', async (t) => {
  const { client, id, secret, delivered } = await registered(t);
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  const staged = await delivered();
  await client.webhookEndpoints.completeSecretRotation(id);
  const completed = await delivered();

  for (const { reference, body, headers } of [staged, completed]) {
    for (const either of [secret, next]) {
      t.like(new Webhook(either).verify(body, headers), { data: { reference } });
    }
  }
});
