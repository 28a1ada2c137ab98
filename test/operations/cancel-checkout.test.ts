import { ConflictError, NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { payByForm } from '../support/hosted-page.ts';
import { leaveProcessing, owed, startCheckout } from '../support/payments.ts';
import { serverForFile } from '../support/tillhook.ts';

// No worker here: it would notice by itself that a payment's time ran out.
const server = serverForFile({ ROLE: 'api' });
const reference = 'order-1042';

test('200 expires a payment that nobody tried, and tells nobody', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { checkoutUrl } = await startCheckout(merchant);

  const payment = await client.payments.cancel(reference);

  t.like(payment, { reference, status: 'expired', attempts: 0, completedAt: null, expiresAt: payment.updatedAt });
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await owed(server(), merchant), []);
  t.notRegex(await (await fetch(checkoutUrl)).text(), /name="cardNumber"/);
});

test('200 fails a payment whose card was declined, and says so', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000000002');

  const payment = await client.payments.cancel(reference);

  t.like(payment, { status: 'failed', attempts: 1, failureCode: 'card_declined' });
  t.deepEqual(await owed(server(), merchant), ['checkout.failed to 1']);
});

test('200 for a payment whose time ran out before anybody noticed', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await server().database.query(
    `update payment set expires_at = created_at - interval '1 minute' where merchant_id = $1`,
    [merchant.id],
  );

  const { status, expiresAt, createdAt } = await merchant.client.payments.cancel(reference);

  t.is(status, 'expired');
  t.true(expiresAt < createdAt);
});

test('200 takes back a checkout whose customer is at the 3-D Secure step', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  t.regex((await payByForm(checkoutUrl, '4000000000003220')).html, /Confirm it is you/);

  const payment = await merchant.client.payments.cancel(reference);

  t.like(payment, { status: 'expired', attempts: 0, paymentMethod: null });
  t.deepEqual(await owed(server(), merchant), []);
});

test('400 when the reference is none', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.payments.cancel('a')), { code: 'invalid_parameter', param: 'reference' });
});

test('404 when there is no such payment', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.payments.cancel(reference), { instanceOf: NotFoundError });
});

test('409 when the payment is final, and it stays as it is', async (t) => {
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
  await leaveProcessing(server(), accessCode);

  t.like(await t.throwsAsync(merchant.client.payments.cancel(reference)), { code: 'payment_already_final' });
  t.is((await merchant.client.payments.get(reference)).status, 'processing');
});

test('409 for all but one of fifty that cancel at once', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => merchant.client.payments.cancel(reference)),
  );

  t.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  t.true(results.every((one) => one.status === 'fulfilled' || one.reason.code === 'payment_already_final'));
  t.deepEqual(await owed(server(), merchant), []);
});

test('409 for all but one of fifty that cancel, complete and fail at once', async (t) => {
  const merchant = await server().createMerchant();
  const { payments, testHelpers } = merchant.client;
  await merchant.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await startCheckout(merchant);
  const acts = [payments.cancel, testHelpers.completePayment, testHelpers.failPayment];

  const calls = Array.from({ length: 50 }, (_, index) => acts[index % acts.length]?.(reference));
  const results = await Promise.allSettled(calls);

  const [winner, ...others] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  t.is(others.length, 0);
  t.true(results.every((one) => one.status === 'fulfilled' || one.reason.code === 'payment_already_final'));
  const payment = await payments.get(reference);
  t.deepEqual(payment, winner);
  const events = { completed: ['checkout.success to 1'], failed: ['checkout.failed to 1'] };
  t.deepEqual(await owed(server(), merchant), events[payment.status as 'completed'] ?? []);
});
