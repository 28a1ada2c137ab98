import { NotFoundError, PermissionError } from '@tillhook/sdk';
import test from 'ava';
import { leaveAttemptUndecided, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const reference = 'order-1042';

test('200 completes the payment as a valid card does', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/2', events: ['checkout.success'] });
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/3', events: ['checkout.failed'] });
  await startCheckout(merchant);

  const payment = await client.testHelpers.completePayment(reference);

  t.like(payment, {
    reference,
    status: 'completed',
    attempts: 1,
    paymentMethod: { type: 'card', brand: 'visa', last4: '4242' },
    failureCode: null,
    completedAt: payment.updatedAt,
  });
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 2']);
});

test('200 after a declined card', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000000002');

  const payment = await merchant.client.testHelpers.completePayment(reference);

  t.like(payment, { status: 'completed', attempts: 2, failureCode: null, failureMessage: null });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 0']);
});

test('200 settles an open attempt', async (t) => {
  const merchant = await server().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(server(), accessCode);

  const payment = await merchant.client.testHelpers.completePayment(reference);

  t.like(payment, { status: 'completed', attempts: 1, paymentMethod: { brand: 'mastercard', last4: '4444' } });
});

test('403 with a live key, whether or not the payment exists', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.testHelpers.completePayment(reference), { instanceOf: PermissionError });

  t.like(error, { code: 'test_mode_only' });
});

test('404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.testHelpers.completePayment(reference), { instanceOf: NotFoundError });
});

test('409 when the payment is final', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.payments.cancel(reference);

  const error = await t.throwsAsync(merchant.client.testHelpers.completePayment(reference));

  t.like(error, { code: 'payment_already_final', message: 'This payment is already expired' });
});

test('409 when the payment has expired, as on the hosted page', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.test.advanceTime({ seconds: 86_400 });

  const error = await t.throwsAsync(merchant.client.testHelpers.completePayment(reference));

  t.like(error, { code: 'payment_already_final' });
});

test('409 for all but one of fifty concurrent calls, which make one event', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await startCheckout(merchant);

  const calls = Array.from({ length: 50 }, () => client.testHelpers.completePayment(reference));
  const results = await Promise.allSettled(calls);

  const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  t.deepEqual(refusals, Array(49).fill('payment_already_final'));
  t.is((await client.payments.get(reference)).attempts, 1);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 1']);
});
