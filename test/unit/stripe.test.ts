/** `exhaustive/stripe-mock.test.ts` sends requests in each kind of currency and locale to stripe-mock. */
import { acceptsAmount, fromStripeAmount, toStripeAmount } from '@tillhook/server/src/processors/stripe/amount.ts';
import { type Session, sessionOf, stripeLocale, verdictOf } from '@tillhook/server/src/processors/stripe/session.ts';
import test from 'ava';
import { charge, processorAt } from '../support/processors/stripe-processor.ts';

test('when Stripe is unreachable, the call fails with a message that does not contain the API key', async (t) => {
  const { start, status } = processorAt('http://127.0.0.1:9');

  for (const ask of [start(charge), status({ ...charge, processorId: 'cs_test_123' })]) {
    const error = await t.throwsAsync(ask, { name: 'ProcessorError' });
    t.regex(error?.message ?? '', /StripeConnectionError/);
    t.notRegex(error?.message ?? '', /sk_test/);
  }
});

test('cancelling an attempt without a session id returns the verdict cancelled, with isUnsent', async (t) => {
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
  test(`${currency} ${ours} converts to ${theirs} at Stripe, and back`, (t) => {
    t.is(toStripeAmount(ours, currency), theirs);
    t.is(fromStripeAmount(theirs, currency), ours);
    t.true(acceptsAmount(ours, currency));
  });
}

test('an amount of Stripe that is not a whole number of minor units never equals an amount of the service', (t) => {
  t.not(fromStripeAmount(50_001n, 'ISK'), 500n);
  t.false(acceptsAmount(5001n, 'KWD'));
});

test('the locale of a session is a locale that Stripe supports, or auto', (t) => {
  const spoken = ['en-NG', 'fr-CA', 'fr-BE', 'pt-BR', 'ha-NG', null].map(stripeLocale);

  t.deepEqual(spoken, ['en', 'fr-CA', 'fr', 'pt-BR', 'auto', 'auto']);
});

const suffixOf = (statementName: string | null) =>
  sessionOf({ ...charge, statementName }).payment_intent_data?.statement_descriptor_suffix;

test('the statement descriptor has a hyphen in place of each asterisk, because Stripe refuses asterisks', (t) => {
  t.is(suffixOf('ADAS BOOKS.CO-1'), 'ADAS BOOKS.CO-1');
  t.is(suffixOf('ADAS*BOOKS*'), 'ADAS-BOOKS-');
});

test('without a statement name, the request to Stripe has no statement descriptor', (t) => {
  t.deepEqual(Object.keys(sessionOf(charge).payment_intent_data ?? {}), ['metadata']);
});

test('a card of a brand that is not in the contract gets the brand unknown', (t) => {
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
