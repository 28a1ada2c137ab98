import type { OperationOutput } from '@tillhook/openapi';
import { ConflictError, NotFoundError, ValidationError } from '@tillhook/sdk';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { credentialHeaders } from '../support/calls/call-example.ts';
import { payByForm, submitPage } from '../support/money/hosted-page.ts';
import { leaveAttemptUndecided, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverForFile, serverWithoutWorker } from '../support/server/tillhook.ts';
import { beginSession, createKey, errorIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

test('getPayment 200 returns the payment', async (t) => {
  const { client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  const payment = await client.payments.get(data.reference);

  t.like(payment, {
    reference: data.reference,
    status: 'pending',
    mode: 'test',
    paymentMethod: null,
    completedAt: null,
  });
});

test('getPayment 200 has the link to the checkout while the payment is pending, and always has callbackUrl and cancelUrl', async (t) => {
  const { client } = await server().createMerchant();
  const addresses = { callbackUrl: 'https://shop.example.com/thanks', cancelUrl: 'https://shop.example.com/cart' };
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500, ...addresses });
  const shown = async () => {
    const { status, checkoutUrl, callbackUrl, cancelUrl } = await client.payments.get(data.reference);
    return { status, checkoutUrl, callbackUrl, cancelUrl };
  };

  t.deepEqual(await shown(), { status: 'pending', checkoutUrl: data.checkoutUrl, ...addresses });
  t.is((await client.payments.list()).payments[0]?.checkoutUrl, data.checkoutUrl);
  await leaveAttemptUndecided(server(), data.accessCode);
  t.deepEqual(await shown(), { status: 'processing', checkoutUrl: null, ...addresses });
  await client.testHelpers.completePayment(data.reference);
  t.deepEqual(await shown(), { status: 'completed', checkoutUrl: null, ...addresses });
});

test('getPayment 200 has checkoutUrl for a key that may only read payments and for a user who may create checkouts, and null for other users', async (t) => {
  const merchant = await server().createMerchant();
  const { data } = await merchant.client.checkout.create({ email: 'ada@example.com', amount: 500 });
  const { key } = await createKey(await signIn(server(), merchant), { scopes: ['payments:read'] });
  const path = `/api/v1/payments/${data.reference}`;
  const linkFor = async (headers: Record<string, string>) =>
    (await (await server().request(path, { headers })).json()).checkoutUrl;
  const linkForUser = async (role: Role) => {
    const { token } = await beginSession(server(), merchant, role);
    return linkFor(credentialHeaders('dashboardSession', token));
  };

  t.is(await linkFor({ authorization: `Bearer ${key}` }), data.checkoutUrl);
  t.is(await linkForUser('administrator'), data.checkoutUrl);
  t.is(await linkForUser('support'), data.checkoutUrl);
  t.is(await linkForUser('developer'), null);
  t.is(await linkForUser('viewer'), null);
  t.is(await linkForUser('operator'), null);
});

test('getPayment 200 has the reason for a review by the operator, until the operator decides', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  const { id, reference } = await server().arrange('createPaymentUnderReview', { merchantId });
  t.is((await client.payments.get(reference)).reviewReason, 'amount_mismatch');

  const operator = await signIn(server(), undefined, 'operator');
  const path = `/api/v1/dashboard/operator/payments/${id}/resolve`;
  t.is((await operator.call(path, { method: 'POST', json: { as: 'completed' } })).status, 200);

  t.is((await client.payments.get(reference)).reviewReason, null);
});

test('getPayment 400 when the reference is not valid', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.payments.get('a b'), { instanceOf: ValidationError });

  t.like(error, { code: 'invalid_parameter', param: 'reference' });
});

test('getPayment 404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.payments.get('order-1042'), { instanceOf: NotFoundError });

  t.is(error?.code, 'resource_not_found');
});

test('getPayment 404 when the payment belongs to another merchant', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { data } = await owner.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await t.throwsAsync(other.client.payments.get(data.reference), { instanceOf: NotFoundError });
});

test('getPayment 404 when the payment belongs to the other mode', async (t) => {
  const { client, liveClient } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await t.throwsAsync(liveClient.payments.get(data.reference), { instanceOf: NotFoundError });
});

test('listPayments 200 lists the payments, newest first', async (t) => {
  const { client } = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 1, reference });
  }

  const { payments, total } = await client.payments.list();

  t.is(total, 3);
  t.deepEqual(
    payments.map(({ reference }) => reference),
    ['order-3', 'order-2', 'order-1'],
  );
});

test('listPayments 200 skips `offset` records and returns at most `limit`', async (t) => {
  const { client } = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 1, reference });
  }

  const { payments, total } = await client.payments.list({ limit: 1, offset: 1 });

  t.is(total, 3);
  t.deepEqual(
    payments.map(({ reference }) => reference),
    ['order-2'],
  );
});

test('listPayments 200 returns 20 records when `limit` is omitted', async (t) => {
  const { client } = await server().createMerchant();
  await Promise.all(Array.from({ length: 21 }, () => client.checkout.create({ email: 'ada@example.com', amount: 1 })));

  const { payments, total } = await client.payments.list();

  t.is(payments.length, 20);
  t.is(total, 21);
});

test('listPayments 200 filters by status, reference, customer and time', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'Ada@Example.com', amount: 1, reference: 'order-1' });
  await client.checkout.create({ email: 'grace@example.com', amount: 1, reference: 'order-2' });
  const { createdAt } = await client.payments.get('order-2');
  const references = async (filter: Parameters<typeof client.payments.list>[0]) =>
    (await client.payments.list(filter)).payments.map(({ reference }) => reference);

  t.deepEqual(await references({ status: 'completed' }), []);
  t.deepEqual(await references({ status: 'pending' }), ['order-2', 'order-1']);
  t.deepEqual(await references({ status: ['completed', 'pending'] }), ['order-2', 'order-1']);
  t.deepEqual(await references({ status: ['completed', 'failed'] }), []);
  t.deepEqual(await references({ reference: 'order-1' }), ['order-1']);
  t.deepEqual(await references({ customerEmail: 'ADA@example.com' }), ['order-1']);
  t.deepEqual(await references({ from: createdAt }), ['order-2']);
  t.deepEqual(await references({ from: createdAt.replace('Z', '+00:00') }), ['order-2']);
  t.deepEqual(await references({ to: createdAt }), ['order-1']);
  t.deepEqual(await references({ to: '2020-01-01T00:00:00Z' }), []);
  t.deepEqual(await references({ status: 'pending', customerEmail: 'grace@example.com', to: createdAt }), []);
});

test('listPayments 200 lists only refunded payments, or only those under review, with the other filters', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const { client, id: merchantId } = merchant;
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1' });
  await client.refunds.create('order-1042', { amount: 1 });
  const { reference } = await server().arrange('createPaymentUnderReview', { merchantId });
  const found = async (filter: Parameters<typeof client.payments.list>[0]) => {
    const { payments, total } = await client.payments.list(filter);
    return [total, ...payments.map((payment) => payment.reference)];
  };

  t.deepEqual(await found({ only: 'refunded' }), [1, 'order-1042']);
  t.deepEqual(await found({ only: 'refunded', status: 'completed', customerEmail: 'ada@example.com' }), [
    1,
    'order-1042',
  ]);
  t.deepEqual(await found({ only: 'refunded', status: 'pending' }), [0]);
  t.deepEqual(await found({ only: 'under_review' }), [1, reference]);
  t.deepEqual(await found({ only: 'under_review', to: '2020-01-01T00:00:00Z' }), [0]);
  t.deepEqual(await found({}), [3, reference, 'order-1', 'order-1042']);
});

test('listPayments 200 filters by currency, and by a range of amounts in one currency, including the minimum and the maximum', async (t) => {
  const { client } = await server().createMerchant();
  for (const [reference, amount, currency] of [
    ['order-1', 100, 'NGN'],
    ['order-2', 999_999_999_999, 'NGN'],
    ['order-3', 101, 'JPY'],
  ] as const) {
    await client.checkout.create({ email: 'ada@example.com', amount, currency, reference });
  }
  const references = async (filter: Parameters<typeof client.payments.list>[0]) =>
    (await client.payments.list(filter)).payments.map(({ reference }) => reference);

  t.deepEqual(await references({ currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ currency: 'NGN' }), ['order-2', 'order-1']);
  t.deepEqual(await references({ currency: 'EUR' }), []);
  t.deepEqual(await references({ minAmount: 100 }), ['order-2', 'order-1']);
  t.deepEqual(await references({ minAmount: 101 }), ['order-2']);
  t.deepEqual(await references({ maxAmount: 101 }), ['order-1']);
  t.deepEqual(await references({ maxAmount: 99 }), []);
  t.deepEqual(await references({ minAmount: 100, currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ minAmount: 101, maxAmount: 101, currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ minAmount: 102, maxAmount: 101 }), []);
  t.deepEqual(await references({ minAmount: 999_999_999_999, status: 'pending' }), ['order-2']);
  t.is((await client.payments.list({ minAmount: 100, limit: 1 })).total, 2);
});

test('listPayments 200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await owner.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  t.is((await other.client.payments.list()).total, 0);
  t.is((await owner.liveClient.payments.list()).total, 0);
});

test('listPayments 200 shows each record as getPayment does', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1', metadata: { cart: '7' } });
  await client.testHelpers.completePayment('order-1');

  t.deepEqual((await client.payments.list({ status: 'completed' })).payments, [await client.payments.get('order-1')]);
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['limit is not a number', 'limit=ten', 'invalid_parameter', 'limit'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['a status is unknown', 'status=paid', 'invalid_parameter', 'status'],
  ['the currency is not in ISO 4217', 'currency=XYZ', 'unsupported_currency', 'currency'],
  ['the currency is in lower case', 'currency=ngn', 'invalid_parameter', 'currency'],
  ['an amount is zero', 'minAmount=0', 'invalid_parameter', 'minAmount'],
  ['an amount has decimals', 'maxAmount=10.50', 'invalid_parameter', 'maxAmount'],
  ['an amount is above the maximum', 'minAmount=1000000000000', 'invalid_parameter', 'minAmount'],
  ['from is not a time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['from is a day that does not exist', 'from=2026-02-30T00:00:00Z', 'invalid_parameter', 'from'],
  ['from is a leap second', 'from=2016-12-31T23:59:60Z', 'invalid_parameter', 'from'],
  ['to is before the year 1', 'to=0000-01-01T00:00:00Z', 'invalid_parameter', 'to'],
  ['to is after the year 9999', 'to=9999-12-31T23:59:59-01:00', 'invalid_parameter', 'to'],
  ['a parameter is unknown', 'page=2', 'unknown_parameter', 'page'],
];

for (const [situation, query, code, param] of refused) {
  test(`listPayments 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const parameters = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.payments.list(parameters as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}

const reference = 'order-1042';
const pathOf = (wanted: string) => `/api/v1/dashboard/payments/${wanted}/attempts`;

async function attemptsOf({ call }: SignedIn): Promise<OperationOutput<'listPaymentAttempts'>['attempts']> {
  return (await (await call(pathOf(reference))).json()).attempts;
}

test('listPaymentAttempts 200 with an empty list for a payment without an attempt', async (t) => {
  const ada = await signIn(server());
  await startCheckout(ada.merchant);

  t.deepEqual(await attemptsOf(ada), []);
});

test('listPaymentAttempts 200 lists the attempts in order, with card and decline', async (t) => {
  const ada = await signIn(server());
  const { checkoutUrl } = await startCheckout(ada.merchant);
  await payByForm(checkoutUrl, '4000000000009995');
  await payByForm(checkoutUrl, '5555555555554444');

  const attempts = await attemptsOf(ada);

  const [declined, paid] = attempts;
  const { startedAt = '', settledAt } = declined ?? {};
  t.is(attempts.length, 2);
  t.deepEqual(declined, {
    number: 1,
    startedAt,
    settledAt: settledAt ?? null,
    method: 'card',
    card: { brand: 'visa', last4: '9995' },
    outcome: 'declined',
    amountReceived: null,
    currencyReceived: null,
    failureCode: 'insufficient_funds',
    failureMessage: 'The card has insufficient funds',
    threeDSecure: false,
  });
  t.true(Date.parse(settledAt ?? '') >= Date.parse(startedAt));
  t.like(paid, { number: 2, outcome: 'paid', card: { brand: 'mastercard', last4: '4444' } });
  t.like(paid, { failureCode: null, failureMessage: null, threeDSecure: false });
  t.like(paid, { amountReceived: 500_000, currencyReceived: 'NGN' });
  t.is(paid?.settledAt, (await ada.merchant.client.payments.get(reference)).completedAt);
});

test('listPaymentAttempts 200 shows the amount that came, which differs from the amount of the payment', async (t) => {
  const ada = await signIn(server());
  await startCheckout(ada.merchant);
  await ada.merchant.client.test.receiveBankTransfer(reference, { amount: 450_000 });

  const attempts = await attemptsOf(ada);

  t.is(attempts.length, 1);
  t.like(attempts[0], { outcome: 'paid', amountReceived: 450_000, currencyReceived: 'NGN' });
});

for (const [answer, outcome, failureCode] of [
  ['complete', 'paid', null],
  ['fail', 'declined', 'authentication_failed'],
] as const) {
  test(`listPaymentAttempts 200 shows that the cardholder had to authenticate: ${answer}`, async (t) => {
    const ada = await signIn(server());
    const { checkoutUrl } = await startCheckout(ada.merchant);
    await payByForm(checkoutUrl, '4000000000003220');

    t.like((await attemptsOf(ada))[0], { outcome: 'open', settledAt: null, threeDSecure: true });
    await submitPage(checkoutUrl, '/step', { step: answer });

    t.like((await attemptsOf(ada))[0], { outcome, failureCode, threeDSecure: true });
  });
}

test('listPaymentAttempts 200 lists an open attempt while the processor decides about its card', async (t) => {
  const ada = await signIn(server());
  const { accessCode } = await startCheckout(ada.merchant);
  await leaveAttemptUndecided(server(), accessCode);

  t.like((await attemptsOf(ada))[0], { number: 1, outcome: 'open', settledAt: null, card: { last4: '4444' } });
});

test('listPaymentAttempts 404 when the payment does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await startCheckout(ada.merchant);

  t.deepEqual(await errorIn(await other.call(pathOf(reference))), [404, 'resource_not_found']);
  t.deepEqual(await errorIn(await ada.call(pathOf(reference), { mode: 'live' })), [404, 'resource_not_found']);
  t.deepEqual(await errorIn(await ada.call(pathOf('order-7777'))), [404, 'resource_not_found']);
});

// The server has no worker, because a worker would expire the payments.
const withoutWorker = serverWithoutWorker();

test('cancelCheckout 200 expires a payment without an attempt, and publishes the event with its reason', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const { client } = merchant;
  for (const events of [['*'], ['checkout.expired'], ['checkout.success', 'checkout.failed']] as const)
    await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/', events: [...events] });
  const { checkoutUrl } = await startCheckout(merchant);

  const payment = await client.payments.cancel(reference);

  t.like(payment, { reference, status: 'expired', cancelledBy: 'merchant', attempts: 0, completedAt: null });
  t.is(payment.expiresAt, payment.updatedAt);
  t.deepEqual(await client.payments.get(reference), payment);
  t.deepEqual(await publishedEvents(withoutWorker(), merchant), ['checkout.expired cancelled to 2']);
  t.notRegex(await (await fetch(checkoutUrl)).text(), /name="cardNumber"/);
});

test('cancelCheckout 200 fails a payment whose card was declined, and publishes the event', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const { client } = merchant;
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { checkoutUrl } = await startCheckout(merchant);
  await payByForm(checkoutUrl, '4000000000000002');

  const payment = await client.payments.cancel(reference);

  t.like(payment, { status: 'failed', cancelledBy: 'merchant', attempts: 1, failureCode: 'card_declined' });
  const { events } = await client.events.list({ reference });
  t.like(events[0]?.data, { failureCode: 'card_declined', cancelledBy: 'merchant' });
  t.regex(await (await fetch(checkoutUrl)).text(), /<h1[^>]*>This payment was cancelled</);
  t.deepEqual(await publishedEvents(withoutWorker(), merchant), ['checkout.failed to 1']);
});

test('cancelCheckout 200 for a payment that has expired but is still pending in the database', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  await startCheckout(merchant);
  await withoutWorker().database.query(
    `update payment set expires_at = created_at - interval '1 minute' where merchant_id = $1`,
    [merchant.id],
  );

  const { status, cancelledBy, expiresAt, createdAt } = await merchant.client.payments.cancel(reference);

  t.deepEqual([status, cancelledBy], ['expired', 'merchant']);
  t.true(expiresAt < createdAt);
});

test('cancelCheckout 200 cancels a checkout whose customer is at the 3-D Secure step', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  t.regex((await payByForm(checkoutUrl, '4000000000003220')).html, /Confirm it is you/);

  const payment = await merchant.client.payments.cancel(reference);

  t.like(payment, { status: 'expired', attempts: 0, paymentMethod: null });
  t.deepEqual(await publishedEvents(withoutWorker(), merchant), ['checkout.expired cancelled to 0']);
});

test('cancelCheckout 400 when the reference is not valid', async (t) => {
  const { client } = await withoutWorker().createMerchant();

  t.like(await t.throwsAsync(client.payments.cancel('a')), { code: 'invalid_parameter', param: 'reference' });
});

test('cancelCheckout 404 when the payment does not exist', async (t) => {
  const { client } = await withoutWorker().createMerchant();

  await t.throwsAsync(client.payments.cancel(reference), { instanceOf: NotFoundError });
});

test('cancelCheckout 409 when the payment is final, and the payment does not change', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  await startCheckout(merchant);
  const completed = await merchant.client.testHelpers.completePayment(reference);

  const error = await t.throwsAsync(merchant.client.payments.cancel(reference), { instanceOf: ConflictError });

  t.like(error, { code: 'payment_already_final', message: 'This payment is already completed' });
  t.deepEqual(await merchant.client.payments.get(reference), completed);
});

test('cancelCheckout 409 while the processor decides about a card', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  const { accessCode } = await startCheckout(merchant);
  await leaveAttemptUndecided(withoutWorker(), accessCode);

  const error = await t.throwsAsync(merchant.client.payments.cancel(reference), { instanceOf: ConflictError });

  t.is(error.code, 'payment_in_progress');
  t.is((await merchant.client.payments.get(reference)).status, 'processing');
});

test('cancelCheckout 409 for all but one of fifty concurrent cancellations', async (t) => {
  const merchant = await withoutWorker().createMerchant();
  await startCheckout(merchant);

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => merchant.client.payments.cancel(reference)),
  );

  const errorCodes = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  t.deepEqual(errorCodes, Array(49).fill('payment_already_final'));
  t.deepEqual(await publishedEvents(withoutWorker(), merchant), ['checkout.expired cancelled to 0']);
});

test('cancelCheckout 409 for all but one of fifty-one concurrent calls that cancel, complete or fail the payment', async (t) => {
  const merchant = await withoutWorker().createMerchant();
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
  const errorCodes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  t.deepEqual(errorCodes, Array(50).fill('payment_already_final'));
  t.is((await payments.get(reference)).status as string, winners[0]?.status ?? 'nobody won');
  t.deepEqual(await publishedEvents(withoutWorker(), merchant), winners[0]?.events);
});
