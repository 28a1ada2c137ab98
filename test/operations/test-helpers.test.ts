import { ConflictError, NotFoundError, PermissionError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { leaveAttemptUndecided, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

const path = '/api/v1/test-helpers/time/advance';
const none = { checkouts: 0, deliveries: 0, transfers: 0, refunds: 0, rotations: 0, apiKeys: 0, paymentLinks: 0 };

const advance = ({ testKey }: Pick<TestMerchant, 'testKey'>, body: unknown, headers: Record<string, string> = {}) =>
  server().request(path, {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const secondsBetween = (earlier: string, later: string) => (Date.parse(later) - Date.parse(earlier)) / 1000;

test('testAdvanceTime 200 returns the number of records whose deadlines moved, and does not count records without a deadline', async (t) => {
  const merchant = await fundedMerchant(server(), 1000);
  const { client } = merchant;
  await startCheckout(merchant, 'order-open');
  await startCheckout(merchant, 'order-paid');
  await client.test.completePayment('order-paid');
  await client.transfers.create({ amount: 300, reference: 'pay-late', recipient: recipient('0000000002') });
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl, events: ['transfer.success'] });
  await client.webhookEndpoints.rotateSecret(id);

  const advanced = await client.test.advanceTime({ seconds: 5 });

  t.deepEqual(advanced, { seconds: 5, moved: { ...none, checkouts: 1, transfers: 1, rotations: 1 } });
});

test('testAdvanceTime 200 returns zeros for a merchant without deadlines', async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.test.advanceTime({ seconds: 2_592_000 }), { seconds: 2_592_000, moved: none });
});

test('testAdvanceTime 200 moves a distant deadline nearer by the number of seconds, and the deadline stays in the future', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const staged = await merchant.client.webhookEndpoints.rotateSecret(id);
  const before = await merchant.client.payments.get(reference);

  await merchant.client.test.advanceTime({ seconds: 3600 });

  const after = await merchant.client.payments.get(reference);
  t.deepEqual(after, { ...before, expiresAt: after.expiresAt });
  t.is(secondsBetween(after.expiresAt, before.expiresAt), 3600);
  const endpoint = await merchant.client.webhookEndpoints.get(id);
  t.is(secondsBetween(String(endpoint.nextSecretAt), String(staged.nextSecretAt)), 3600);
});

test('testAdvanceTime 200 answers only after the due checkouts have expired and each has its event', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);

  const startedMs = Date.now();
  await merchant.client.test.advanceTime({ seconds: 86_400 });

  const { status, expiresAt, createdAt } = await merchant.client.payments.get(reference);
  t.is(status, 'expired');
  t.true(Date.parse(expiresAt) >= startedMs && createdAt < expiresAt, expiresAt);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.expired expired to 0']);
});

test('testAdvanceTime 200 moves deadlines once for two calls with one Idempotency-Key', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { expiresAt } = await merchant.client.payments.get(reference);
  const once = { 'idempotency-key': 'an-hour-passes' };

  const first = await advance(merchant, { seconds: 3600 }, once);
  const second = await advance(merchant, { seconds: 3600 }, once);

  t.deepEqual(await first.json(), { seconds: 3600, moved: { ...none, checkouts: 1 } });
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is(secondsBetween((await merchant.client.payments.get(reference)).expiresAt, expiresAt), 3600);
});

test('testAdvanceTime 200 for 20 concurrent calls, each of which moves every deadline', async (t) => {
  const merchant = await server().createMerchant();
  for (let number = 1; number <= 10; number += 1) await startCheckout(merchant, `order-10${number}`);
  const { expiresAt } = await merchant.client.payments.get('order-105');

  const calls = Array.from({ length: 20 }, () => merchant.client.test.advanceTime({ seconds: 60 }));
  const counts = (await Promise.all(calls)).map(({ moved }) => moved.checkouts);

  t.deepEqual(counts, Array(20).fill(10));
  t.is(secondsBetween((await merchant.client.payments.get('order-105')).expiresAt, expiresAt), 1200);
});

test('testAdvanceTime 200 moves the deadline of a transfer that was created just before the call', async (t) => {
  const merchant = await fundedMerchant(server(), 1000);
  const { client } = merchant;

  for (let number = 1; number <= 10; number += 1) {
    const reference = `pay-${number}000`;
    await client.transfers.create({ amount: 1, reference, recipient: recipient('0000000002') });
    t.is((await client.test.advanceTime({ seconds: 30 })).moved.transfers, 1);
    await waitForTransfer('completed', merchant, reference);
  }
});

const wrong = {
  'is below 1': [{ seconds: 0 }, 'seconds must be at least 1'],
  'is negative': [{ seconds: -1 }, 'seconds must be at least 1'],
  'is more than 30 days': [{ seconds: 2_592_001 }, 'seconds must be at most 2592000'],
  'is not a whole number': [{ seconds: 1.5 }, 'seconds must be a whole number'],
  'is a text': [{ seconds: '60' }, 'seconds must be a whole number'],
  'is missing': [{}, 'seconds is required'],
} as const;

for (const [situation, [body, message]] of Object.entries(wrong)) {
  test(`testAdvanceTime 400 when the number of seconds ${situation}, and no deadline moves`, async (t) => {
    const merchant = await server().createMerchant();
    const { reference } = await startCheckout(merchant);
    const { expiresAt } = await merchant.client.payments.get(reference);

    const response = await advance(merchant, body);

    t.is(response.status, 400);
    const { message: said, error } = await response.json();
    t.is(said, message);
    t.is(error.param, 'seconds');
    t.is((await merchant.client.payments.get(reference)).expiresAt, expiresAt);
  });
}

test('testAdvanceTime 400 is a ValidationError in the SDK when the number of seconds is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.test.advanceTime({ seconds: 0 }), { instanceOf: ValidationError }), {
    param: 'seconds',
  });
});

test('testAdvanceTime 403 with a live key, and no deadline moves, neither in test nor in live mode', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { expiresAt } = await merchant.client.payments.get(reference);

  const attempt = merchant.liveClient.test.advanceTime({ seconds: 60 });

  t.is((await t.throwsAsync(attempt, { instanceOf: PermissionError }))?.code, 'test_mode_only');
  t.is((await merchant.client.payments.get(reference)).expiresAt, expiresAt);
});

const reference = 'order-1042';

test('testCompletePayment 200 completes the payment as a valid card does', async (t) => {
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

test('testCompletePayment 200 after a declined card', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000000002');

  const payment = await merchant.client.testHelpers.completePayment(reference);

  t.like(payment, { status: 'completed', attempts: 2, failureCode: null, failureMessage: null });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 0']);
});

test('testCompletePayment 200 settles an open attempt', async (t) => {
  const merchant = await server().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(server(), accessCode);

  const payment = await merchant.client.testHelpers.completePayment(reference);

  t.like(payment, { status: 'completed', attempts: 1, paymentMethod: { brand: 'mastercard', last4: '4444' } });
});

test('testCompletePayment 403 with a live key, whether or not the payment exists', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.testHelpers.completePayment(reference), { instanceOf: PermissionError });

  t.like(error, { code: 'test_mode_only' });
});

test('testCompletePayment 404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.testHelpers.completePayment(reference), { instanceOf: NotFoundError });
});

test('testCompletePayment 409 when the payment is final', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.payments.cancel(reference);

  const error = await t.throwsAsync(merchant.client.testHelpers.completePayment(reference));

  t.like(error, { code: 'payment_already_final', message: 'This payment is already expired' });
});

test('testCompletePayment 409 when the payment has expired', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.test.advanceTime({ seconds: 86_400 });

  const error = await t.throwsAsync(merchant.client.testHelpers.completePayment(reference));

  t.like(error, { code: 'payment_already_final' });
});

test('testCompletePayment 409 for all but one of fifty concurrent calls, and one event is published', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await startCheckout(merchant);

  const calls = Array.from({ length: 50 }, () => client.testHelpers.completePayment(reference));
  const results = await Promise.allSettled(calls);

  const errorCodes = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  t.deepEqual(errorCodes, Array(49).fill('payment_already_final'));
  t.is((await client.payments.get(reference)).attempts, 1);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 1']);
});

test('testFailPayment 200 fails the payment as if a card was declined and the time was over, so it was not cancelled', async (t) => {
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
    cancelledBy: null,
    completedAt: null,
  });
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 1']);
});

test('testFailPayment 200 uses the last of three attempts, and publishes one event', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000009995');
  await payByForm(checkoutUrl, '4000000000009995');

  const payment = await merchant.client.testHelpers.failPayment(reference);

  t.like(payment, { status: 'failed', cancelledBy: null, attempts: 3, failureCode: 'card_declined' });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 0']);
});

test('testFailPayment 200 settles an open attempt, even after the expiry', async (t) => {
  const merchant = await server().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(server(), accessCode);
  await server().database.query('update payment set expires_at = created_at where merchant_id = $1', [merchant.id]);

  const payment = await merchant.client.testHelpers.failPayment(reference);

  t.like(payment, { status: 'failed', attempts: 1, paymentMethod: { last4: '4444' } });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.failed to 0']);
});

test('testFailPayment 403 with a live key', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.testHelpers.failPayment(reference), { instanceOf: PermissionError });

  t.like(error, { code: 'test_mode_only' });
});

test('testFailPayment 404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.testHelpers.failPayment(reference), { instanceOf: NotFoundError });
});

test('testFailPayment 409 when the payment is final', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant);
  await merchant.client.testHelpers.completePayment(reference);

  const error = await t.throwsAsync(merchant.client.testHelpers.failPayment(reference));

  t.like(error, { code: 'payment_already_final', message: 'This payment is already completed' });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 0']);
});

for (const [operation, decide, decided, told] of [
  ['testCompletePayment', 'completePayment', { status: 'completed', failureCode: null }, ['checkout.success to 0']],
  ['testFailPayment', 'failPayment', { status: 'failed', failureCode: 'amount_mismatch' }, ['checkout.failed to 0']],
] as const) {
  test(`${operation} 200 decides about another amount than was asked for`, async (t) => {
    const merchant = await server().createMerchant();
    const { client } = merchant;
    await startCheckout(merchant);
    await client.test.receiveBankTransfer(reference, { amount: 450_000 });

    const payment = await client.test[decide](reference);

    t.like(payment, { ...decided, reviewReason: null });
    t.deepEqual(await client.payments.get(reference), payment);
    t.deepEqual(await publishedEvents(server(), merchant), [...told]);
  });
}

test('testCompletePayment 200 ends the review of a payment that was paid twice, and testFailPayment 409 refuses it', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await startCheckout(merchant);
  for (const bankReference of ['first', 'second'])
    await client.test.receiveBankTransfer(reference, { amount: 500_000, bankReference });

  const error = await t.throwsAsync(client.test.failPayment(reference));
  const payment = await client.test.completePayment(reference);

  t.like(error, { code: 'payment_already_final' });
  t.like(payment, { status: 'completed', reviewReason: null });
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.success to 0']);
});

test('testFundWallet 200 returns the Transfer wallet with the new balance', async (t) => {
  const { client } = await server().createMerchant();
  await client.testHelpers.fundWallet({ amount: 1 });

  const wallet = await client.testHelpers.fundWallet({ amount: 1000 });

  t.deepEqual(wallet, { kind: 'transfer', currency: 'NGN', available: 1001, reserved: 0 });
  const { entries } = await client.wallets.listEntries('transfer');
  t.like(entries[0], { type: 'test_funding', amount: 1000, balance: 1001, reference: null });
});

test('testFundWallet 200 in another currency', async (t) => {
  const { client } = await server().createMerchant();

  const wallet = await client.testHelpers.fundWallet({ amount: 7, currency: 'USD' });

  t.deepEqual(wallet, { kind: 'transfer', currency: 'USD', available: 7, reserved: 0 });
});

test('testFundWallet 400 when the amount is not valid', async (t) => {
  const { client } = await server().createMerchant();

  t.is(
    (await t.throwsAsync(client.testHelpers.fundWallet({ amount: 0 }), { instanceOf: ValidationError }))?.param,
    'amount',
  );
});

test('testFundWallet 400 when the wallet would exceed the safe integers of JSON, and the wallet does not change', async (t) => {
  const { id, client } = await server().createMerchant();
  await server().arrange('fundTestWallet', { merchantId: id, amount: Number.MAX_SAFE_INTEGER - 1 });

  const attempt = client.testHelpers.fundWallet({ amount: 2 });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), { code: 'invalid_parameter', param: 'amount' });
  t.is((await client.testHelpers.fundWallet({ amount: 1 })).available, Number.MAX_SAFE_INTEGER);
});

test('testFundWallet 403 with a live key, and no live wallet changes', async (t) => {
  const { liveClient } = await server().createMerchant();

  const attempt = liveClient.testHelpers.fundWallet({ amount: 1000 });

  t.is((await t.throwsAsync(attempt, { instanceOf: PermissionError }))?.code, 'test_mode_only');
  t.is((await liveClient.wallets.list()).wallets[1]?.available, 0);
});

test('testReceiveBankTransfer 200 completes the payment with exactly its amount, and a repeated bank reference changes nothing', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const receive = () => merchant.client.test.receiveBankTransfer(reference, { amount: 500_000, bankReference: 'b-1' });

  const payment = await receive();

  t.like(payment, { status: 'completed', attempts: 0, paymentMethod: { type: 'bank_transfer', brand: 'unknown' } });
  t.regex(String(payment.paymentMethod?.last4), /^\d{4}$/);
  t.deepEqual(await receive(), payment);
});

test('testReceiveBankTransfer 200 leaves the payment under review when another amount came', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);

  const payment = await merchant.client.test.receiveBankTransfer(reference, { amount: 499_999 });

  t.like(payment, { status: 'processing', reviewReason: 'amount_mismatch' });
});

test('testReceiveBankTransfer 400 when the payment offers no bank transfers', async (t) => {
  const { client } = await server().createMerchant();
  const order = { email: 'ada@example.com', amount: 500_000 };
  const { data: inDollars } = await client.checkout.create({ ...order, currency: 'USD' });
  const { data: byCard } = await client.checkout.create({ ...order, paymentMethods: ['card'] });

  for (const { reference } of [inDollars, byCard]) {
    const refused = client.test.receiveBankTransfer(reference, { amount: 500_000 });
    t.is((await t.throwsAsync(refused, { instanceOf: ValidationError }))?.code, 'unsupported_currency');
  }
});

test('testReceiveBankTransfer 404 for a payment of another merchant', async (t) => {
  const { reference } = await startCheckout(await server().createMerchant());
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.test.receiveBankTransfer(reference, { amount: 5 }), { instanceOf: NotFoundError });
});

test('testReceiveBankTransfer 409 when the payment has ended otherwise, or the customer is paying otherwise', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await startCheckout(merchant, 'order-paid');
  await client.test.completePayment('order-paid');
  const { checkoutUrl } = await startCheckout(merchant, 'order-step');
  await payByForm(checkoutUrl, '4000000000003220');

  for (const [reference, code] of [
    ['order-paid', 'payment_already_final'],
    ['order-step', 'payment_in_progress'],
  ] as const) {
    const refused = client.test.receiveBankTransfer(reference, { amount: 500_000 });
    t.is((await t.throwsAsync(refused, { instanceOf: ConflictError }))?.code, code);
  }
});
