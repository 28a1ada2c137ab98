/** The units and languages in the requests of the live processor. `exhaustive/stripe-mock.test.ts` sends the requests. */
import { acceptsAmount, fromStripeAmount, toStripeAmount } from '@tillhook/server/src/processors/stripe-amount.ts';
import { stripeLocale } from '@tillhook/server/src/processors/stripe-locale.ts';
import { type Session, verdictOf } from '@tillhook/server/src/processors/stripe-session.ts';
import test from 'ava';
import { charge, processorAt } from '../support/processors/stripe-processor.ts';

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
