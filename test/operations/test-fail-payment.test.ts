import { NotFoundError, PermissionError } from '@tillhook/sdk';
import test from 'ava';
import { leaveAttemptUndecided, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const reference = 'order-1042';

test('200 fails the payment as after a declined card and a customer who gives up', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await startCheckout(merchant);

  const payment = await client.testHelpers.failPayment(reference);

  t.like(payment, {
    reference,
    status: 'failed',
    attempts: 1,
    paymentMethod: { type: 'card', brand: 'visa', last4: '0002' },
    failureCode: 'card_declined',
    failureMessage: 'The card was declined',
    cancelledBy: 'customer',
    completedAt: null,
  });
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 1']);
});

test('200 uses the last of three attempts, and makes one event', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000009995');
  await payByForm(checkoutUrl, '4000000000009995');

  const payment = await merchant.client.testHelpers.failPayment(reference);

  t.like(payment, { status: 'failed', cancelledBy: null, attempts: 3, failureCode: 'card_declined' });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 0']);
});

test('200 settles an open attempt, even after the expiry', async (t) => {
  const merchant = await server().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(server(), accessCode);
  await server().database.query('update payment set expires_at = created_at where merchant_id = $1', [merchant.id]);

  const payment = await merchant.client.testHelpers.failPayment(reference);

  t.like(payment, { status: 'failed', attempts: 1, paymentMethod: { last4: '4444' } });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 0']);
});

test('403 with a live key', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.testHelpers.failPayment(reference), { instanceOf: PermissionError });

  t.like(error, { code: 'test_mode_only' });
});

test('404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.testHelpers.failPayment(reference), { instanceOf: NotFoundError });
});

test('409 when the payment is final', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.testHelpers.completePayment(reference);

  const error = await t.throwsAsync(merchant.client.testHelpers.failPayment(reference));

  t.like(error, { code: 'payment_already_final', message: 'This payment is already completed' });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 0']);
});
