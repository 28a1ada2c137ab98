import { startReceiver } from '@tillhook/mock/receiver';
import { generateSecret } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { payOnce } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

// The verifier of the Standard Webhooks project checks real deliveries. It uses its own clock and knows nothing about
// us.

const server = serverForFile();

async function registered(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: receiver.url });
  async function delivered() {
    const sent = receiver.deliveries.length;
    const reference = await payOnce(client);
    const delivery = (await receiver.waitFor(sent + 1))[sent];
    return { reference, body: delivery?.body ?? Buffer.of(), headers: delivery?.headers as Record<string, string> };
  }
  return { client, id, secret, delivered };
}

test('the standardwebhooks package verifies a delivery with the secret of the registration, and with no other', async (t) => {
  const { secret, delivered } = await registered(t);

  const { reference, body, headers } = await delivered();

  t.like(new Webhook(secret).verify(body, headers), { event: 'checkout.success', data: { reference } });
  t.throws(() => new Webhook(generateSecret()).verify(body, headers), { message: 'No matching signature found' });
  t.throws(() => new Webhook(secret).verify(`${body} `, headers), { message: 'No matching signature found' });
});

test('the standardwebhooks package verifies with either secret while one is staged and after completion', async (t) => {
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
