import { ConflictError, NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { leaveAttemptUndecided, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { serverWithoutWorker } from '../support/server/tillhook.ts';

// A server without a worker, which would expire the payments by itself.
const server = serverWithoutWorker();
const reference = 'order-1042';

test('200 expires a payment without an attempt, and publishes the event with its reason', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  for (const events of [['*'], ['checkout.expired'], ['checkout.success', 'checkout.failed']] as const)
    await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/', events: [...events] });
  const { checkoutUrl } = await startCheckout(merchant);

  const payment = await client.payments.cancel(reference);

  t.like(payment, { reference, status: 'expired', cancelledBy: 'merchant', attempts: 0, completedAt: null });
  t.is(payment.expiresAt, payment.updatedAt);
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.expired cancelled to 2']);
  t.notRegex(await (await fetch(checkoutUrl)).text(), /name="cardNumber"/);
});

test('200 fails a payment whose card was declined, and publishes the event', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000000002');

  const payment = await client.payments.cancel(reference);

  t.like(payment, { status: 'failed', cancelledBy: 'merchant', attempts: 1, failureCode: 'card_declined' });
  const { events } = await client.events.list({ reference });
  t.like(events[0]?.data, { failureCode: 'card_declined', cancelledBy: 'merchant' });
  t.regex(await (await fetch(checkoutUrl)).text(), /<h1[^>]*>This payment was cancelled</);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 1']);
});

test('200 for a payment that has expired but is still pending in the database', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await server().database.query(
    `update payment set expires_at = created_at - interval '1 minute' where merchant_id = $1`,
    [merchant.id],
  );

  const { status, cancelledBy, expiresAt, createdAt } = await merchant.client.payments.cancel(reference);

  t.deepEqual([status, cancelledBy], ['expired', 'merchant']);
  t.true(expiresAt < createdAt);
});

test('200 cancels a checkout whose customer is at the 3-D Secure step', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  t.regex((await payByForm(checkoutUrl, '4000000000003220')).html, /Confirm it is you/);

  const payment = await merchant.client.payments.cancel(reference);

  t.like(payment, { status: 'expired', attempts: 0, paymentMethod: null });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.expired cancelled to 0']);
});

test('400 when the reference is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.payments.cancel('a')), { code: 'invalid_parameter', param: 'reference' });
});

test('404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.payments.cancel(reference), { instanceOf: NotFoundError });
});

test('409 when the payment is final, and it does not change', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  const completed = await merchant.client.testHelpers.completePayment(reference);

  const error = await t.throwsAsync(merchant.client.payments.cancel(reference), { instanceOf: ConflictError });

  t.like(error, { code: 'payment_already_final', message: 'This payment is already completed' });
  t.deepEqual(await merchant.client.payments.get(reference), completed);
});

test('409 while a card is being decided', async (t) => {
  const merchant = await server().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(server(), accessCode);

  const error = await t.throwsAsync(merchant.client.payments.cancel(reference), { instanceOf: ConflictError });

  t.is(error.code, 'payment_in_progress');
  t.is((await merchant.client.payments.get(reference)).status, 'processing');
});

test('409 for all but one of fifty concurrent cancellations', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => merchant.client.payments.cancel(reference)),
  );

  const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  t.deepEqual(refusals, Array(49).fill('payment_already_final'));
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.expired cancelled to 0']);
});

test('409 for all but one of fifty-one concurrent calls that cancel, complete and fail', async (t) => {
  const merchant = await server().createMerchant();
  const { payments, testHelpers } = merchant.client;
  await merchant.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await startCheckout(merchant);
  const acts = [
    { act: payments.cancel, status: 'expired', events: ['checkout.expired cancelled to 1'] },
    { act: testHelpers.completePayment, status: 'completed', events: ['checkout.success to 1'] },
    { act: testHelpers.failPayment, status: 'failed', events: ['checkout.failed to 1'] },
  ];
  const calls = Array.from({ length: 51 }, (_, index) => acts[index % 3]).flatMap((act) => act ?? []);

  const results = await Promise.allSettled(calls.map(({ act }) => act(reference)));

  const winners = calls.filter((_, index) => results[index]?.status === 'fulfilled');
  t.is(winners.length, 1);
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  t.deepEqual(refusals, Array(50).fill('payment_already_final'));
  t.is((await payments.get(reference)).status as string, winners[0]?.status ?? 'nobody won');
  t.deepEqual(await publishedEvents(server(), merchant), winners[0]?.events);
});
