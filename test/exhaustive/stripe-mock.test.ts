/** Tests that stripe-mock, which has Stripe's specification, accepts the requests of the live processor. */
import test from 'ava';
import { type StripeObject, signStripeEvent, stripeEvent } from '../support/processors/stripe-events.ts';
import data from '../support/processors/stripe-fixtures.json' with { type: 'json' };
import { charge, processorAt } from '../support/processors/stripe-processor.ts';

const url = process.env.STRIPE_MOCK_TEST_URL;

/** `.ci/run` builds stripe-mock where Go is installed, and sets its URL. Without a URL the test is skipped; with CI=true the run fails. */
const onStripeMock = url ? test : test.skip;

/** stripe-mock accepts every key that begins with `sk_test_`. */
const stripeMockUrl = url ?? '';

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

onStripeMock(
  'Stripe accepts our refunds in every kind of currency, and the server can read its response',
  async (t) => {
    const { refund } = processorAt(stripeMockUrl);

    // stripe-mock stores nothing, so no earlier refund is found, and its refunds are completed.
    for (const currency of ['NGN', 'JPY', 'KWD', 'ISK']) {
      const verdict = await refund({ ...order, currency });
      t.is(verdict.result, 'completed', currency);
      t.regex((verdict.result === 'completed' && verdict.processorId) || '', /^re_\w+$/);
    }
  },
);

onStripeMock('Stripe accepts our request to read a refund', async (t) => {
  const { refundStatus } = processorAt(stripeMockUrl);

  t.deepEqual(await refundStatus({ ...order, processorId: 're_123' }), { result: 'completed', processorId: 're_123' });
});

onStripeMock('Stripe accepts our request to read the payment intent of a refund or dispute', async (t) => {
  const { parseWebhook } = processorAt(stripeMockUrl);

  for (const type of ['refund.updated', 'charge.dispute.created'] as const) {
    const { body, signature } = signStripeEvent(stripeEvent(type), 'whsec_x');
    // The payment intent of stripe-mock contains no id of our attempt.
    t.is(await parseWebhook(Buffer.from(body), { 'stripe-signature': signature }), null);
  }
});

onStripeMock('an invalid Stripe key gives no verdict on the payment', async (t) => {
  const { start } = processorAt(stripeMockUrl, 'sk_live_123');

  const error = await t.throwsAsync(start(charge), { name: 'ProcessorError' });

  t.notRegex(error?.message ?? '', /sk_live/);
});

for (const [path, name] of [
  ['checkout/sessions/cs_1', 'checkout.session'],
  ['payment_intents/pi_1', 'payment_intent'],
  ['charges/ch_1', 'charge'],
  ['refunds/re_1', 'refund'],
  ['disputes/dp_1', 'dispute'],
] as const) {
  onStripeMock(`stripe-mock answers with the same properties as the ${name} of these tests`, async (t) => {
    const response = await fetch(`${stripeMockUrl}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_1042' } });

    const answer = (await response.json()) as StripeObject;
    t.deepEqual(Object.keys(answer).sort(), Object.keys(data.fixtures[name]).sort());
  });
}
