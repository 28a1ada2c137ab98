/** The requests of the live processor, checked by Stripe's specification, and the units and languages in them. */
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { createStripe } from '@tillhook/server/src/processors/stripe.ts';
import { acceptsAmount, fromStripeAmount, toStripeAmount } from '@tillhook/server/src/processors/stripe-amount.ts';
import { stripeLocale } from '@tillhook/server/src/processors/stripe-locale.ts';
import { type Session, verdictOf } from '@tillhook/server/src/processors/stripe-session.ts';
import test from 'ava';
import { signStripeEvent, stripeEvent } from '../support/processors/stripe-events.ts';
import { onStripeMock, stripeMockUrl } from '../support/processors/stripe-mock.ts';

const charge = {
  attemptId: '01940000-0000-7000-8000-000000000000',
  reference: 'order-1042',
  amount: 500_000n,
  currency: 'NGN',
  customerEmail: 'ada@example.com',
  description: 'Two tickets',
  locale: 'en-NG',
  statementName: null,
  startedAt: new Date(),
  expiresAt: new Date(Date.now() + 86_400_000),
  paidUrl: 'https://pay.example.com/checkout/x?step=sent',
  backUrl: 'https://pay.example.com/checkout/x/back',
  processorId: null,
};

const processorAt = (apiUrl: string, secretKey = 'sk_test_123') =>
  createStripe({ secretKey, webhookSecret: 'whsec_x', apiUrl }, createLogger('silent'));

onStripeMock('Stripe accepts our sessions in every language and kind of currency', async (t) => {
  const { start } = processorAt(stripeMockUrl);

  for (const locale of [null, 'en-NG', 'fr-CA', 'pt-BR', 'ha']) {
    for (const currency of ['NGN', 'JPY', 'KWD', 'ISK']) {
      const verdict = await start({ ...charge, locale, currency });
      t.like(verdict, { result: 'open' }, `${locale} ${currency}`);
    }
  }
});

onStripeMock('Stripe accepts our requests to read a session and to expire it', async (t) => {
  const { status, cancel } = processorAt(stripeMockUrl);
  const known = { ...charge, processorId: 'cs_test_123' };

  // stripe-mock stores nothing, so its sessions stay open.
  t.like(await status(known), { result: 'open', processorId: 'cs_test_123' });
  t.like(await cancel(known), { result: 'open' });
});

const order = {
  refundId: '01940000-0000-7000-8000-000000000001',
  reference: 'refund-1',
  paymentReference: 'order-1042',
  amount: 120_000n,
  currency: 'NGN',
  cardLast4: '4242',
  chargeId: 'cs_test_123',
  processorId: null,
};

onStripeMock('Stripe accepts our refunds in every kind of currency, and its answer is read', async (t) => {
  const { refund } = processorAt(stripeMockUrl);

  // stripe-mock stores nothing, so no earlier refund is found, and its refunds are completed.
  for (const currency of ['NGN', 'JPY', 'KWD', 'ISK']) {
    const verdict = await refund({ ...order, currency });
    t.is(verdict.result, 'completed', currency);
    t.regex((verdict.result === 'completed' && verdict.processorId) || '', /^re_\w+$/);
  }
});

onStripeMock('Stripe accepts our request to read a refund', async (t) => {
  const { refundStatus } = processorAt(stripeMockUrl);

  t.deepEqual(await refundStatus({ ...order, processorId: 're_123' }), { result: 'completed', processorId: 're_123' });
});

onStripeMock('Stripe accepts our request to read the payment intent of a refund or dispute', async (t) => {
  const { parseWebhook } = processorAt(stripeMockUrl);

  for (const type of ['refund.updated', 'charge.dispute.created'] as const) {
    const { body, signature } = signStripeEvent(stripeEvent(type), 'whsec_x');
    // The payment intent of stripe-mock names no attempt of ours.
    t.is(await parseWebhook(Buffer.from(body), signature), null);
  }
});

onStripeMock('a refused key of Stripe says nothing about the payment', async (t) => {
  const { start } = processorAt(stripeMockUrl, 'sk_live_123');

  const error = await t.throwsAsync(start(charge), { name: 'ProcessorError' });

  t.notRegex(error?.message ?? '', /sk_live/);
});

test('when Stripe cannot be reached the call fails, and its message contains no key', async (t) => {
  const { start, status } = processorAt('http://127.0.0.1:9');

  for (const ask of [start(charge), status({ ...charge, processorId: 'cs_test_123' })]) {
    const error = await t.throwsAsync(ask, { name: 'ProcessorError' });
    t.regex(error?.message ?? '', /StripeConnectionError/);
    t.notRegex(error?.message ?? '', /sk_test/);
  }
});

test('a session whose address we never received is cancelled as unsent', async (t) => {
  t.deepEqual(await processorAt('http://127.0.0.1:9').cancel(charge), { result: 'cancelled', isUnsent: true });
});

const amounts: [currency: string, ours: bigint, theirs: bigint][] = [
  ['NGN', 500_000n, 500_000n],
  ['JPY', 500n, 500n],
  ['KWD', 5000n, 5000n],
  ['ISK', 500n, 50_000n],
  ['UGX', 500n, 50_000n],
];

for (const [currency, ours, theirs] of amounts) {
  test(`${ours} of ${currency} is ${theirs} to Stripe, and back`, (t) => {
    t.is(toStripeAmount(ours, currency), theirs);
    t.is(fromStripeAmount(theirs, currency), ours);
    t.true(acceptsAmount(ours, currency));
  });
}

test('an amount with a fraction of our smallest unit never equals a whole amount', (t) => {
  t.not(fromStripeAmount(50_001n, 'ISK'), 500n);
  t.false(acceptsAmount(5001n, 'KWD'));
});

test('uses the language of the merchant, or leaves the choice to Stripe', (t) => {
  const spoken = ['en-NG', 'fr-CA', 'fr-BE', 'pt-BR', 'ha-NG', null].map(stripeLocale);

  t.deepEqual(spoken, ['en', 'fr-CA', 'fr', 'pt-BR', 'auto', 'auto']);
});

test('the brand of the card that paid is one of ours, or unknown', (t) => {
  const paidWith = (brand: string) => {
    const latest_charge = { payment_method_details: { card: { brand, last4: '0005' } } };
    return { payment_status: 'paid', amount_total: 100, currency: 'ngn', payment_intent: { latest_charge } };
  };

  for (const [theirs, ours] of [
    ['visa', 'visa'],
    ['mastercard', 'mastercard'],
    ['amex', 'amex'],
    ['diners', 'unknown'],
  ] as const) {
    t.like(verdictOf(paidWith(theirs) as unknown as Session), { card: { brand: ours, last4: '0005' } }, theirs);
  }
});
