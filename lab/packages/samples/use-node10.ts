/** A CommonJS program that uses every entry point. Its module resolution, node10, does not read `exports`. */
import { strict as assert } from 'node:assert';
import { startMock } from '@tillhook/mock/api';
import { startReceiver } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import { sign, unwrap } from '@tillhook/sdk/webhooks';

callMock()
  .then(receiveWebhook)
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });

async function callMock(): Promise<void> {
  const mock = await startMock();
  const tillhook = new Tillhook('sk_test_mock', { baseUrl: mock.url });
  const { data } = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
  const reference: string = data.reference;
  assert.ok(reference);
  // @ts-expect-error A reference is not a number. Without the types of the SDK, the compiler would report no error.
  data.reference satisfies number;
  const session = new TillhookSession({ mode: 'test', baseUrl: mock.url });
  // @ts-expect-error The SDK has no such mode.
  session.mode satisfies 'demo';
  await mock.stop();
}

async function receiveWebhook(): Promise<void> {
  const secret = `whsec_${Buffer.from('a secret for this run').toString('base64')}`;
  const receiver = await startReceiver({ secrets: [secret] });
  const body = JSON.stringify({ event: 'checkout.success', data: { reference: 'order-1042' } });
  await fetch(receiver.url, { method: 'POST', headers: await sign(body, secret), body });
  const [delivery] = await receiver.waitFor(1);
  assert.ok(delivery);
  const event = await unwrap(delivery.body, delivery.headers, secret);
  assert.equal(event.event === 'checkout.success' && event.data.reference, 'order-1042');
  // @ts-expect-error The SDK has no such result of a verification.
  delivery.verification satisfies 'unknown';
  await receiver.stop();
}
