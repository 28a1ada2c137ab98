import { readFileSync } from 'node:fs';
import { webhookEventTypes } from '@tillhook/server/src/processors/stripe/payments.ts';
import { refundEventTypes } from '@tillhook/server/src/processors/stripe/refunds.ts';
import { Ajv } from 'ajv';
import test, { type ExecutionContext } from 'ava';
import { Stripe } from 'stripe';
import { operationsText, sectionOf } from '../support/ops/ops-files.ts';
import {
  charge,
  checkoutSession,
  paymentIntent,
  type StripeObject,
  signStripeEvent,
  stripeEvent,
  stripeEventTypes,
} from '../support/processors/stripe-events.ts';
import data from '../support/processors/stripe-fixtures.json' with { type: 'json' };

const secret = 'whsec_dGhlIHdob2xlIHN0cmluZyBpcyB0aGUga2V5';
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

function conforms(t: ExecutionContext, name: keyof typeof data.schemas, object: unknown): void {
  ajv.validate(data.schemas[name], object);

  t.deepEqual(ajv.errors ?? [], []);
}

for (const type of stripeEventTypes) {
  test(`${type} has the shape of Stripe's specification`, (t) => {
    const event = stripeEvent(type);

    conforms(t, 'event', event);
    conforms(t, event.data.object.object as keyof typeof data.schemas, event.data.object);
  });
}

test('the events of the tests include every event about refunds and disputes that the server reads', (t) => {
  const made = stripeEventTypes.filter((type) => /^refund\.|^charge\.(refunded|dispute)/.test(type));

  t.deepEqual(made.sort(), [...refundEventTypes].sort());
  t.is(made.length, 9);
});

test('the guide for operators lists each event that the server reads, and .env.example lists the families of these events', (t) => {
  const guide = sectionOf(operationsText, 'Live money');
  const named = [...guide.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, name = '']) => name);
  const settings = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const [, list = ''] = /\/processors\/stripe\/webhook for ([^#]+)\.\n/.exec(settings) ?? [];
  const families = list.split(/, | and /);
  const isIn = (type: string, family: string) =>
    family.endsWith('*') ? type.startsWith(family.slice(0, -1)) : type === family;

  t.deepEqual(named.sort(), [...webhookEventTypes].sort());
  for (const type of webhookEventTypes) t.is(families.filter((family) => isIn(type, family)).length, 1, type);
  for (const family of families)
    t.true(
      webhookEventTypes.some((type) => isIn(type, family)),
      family,
    );
  t.is(webhookEventTypes.length, 14);
});

test('an open session, an intent and a charge of the tests have the shape of Stripe’s specification', (t) => {
  conforms(t, 'checkout.session', checkoutSession());
  conforms(t, 'payment_intent', paymentIntent());
  conforms(t, 'charge', charge());
});

test('a declined payment intent of the tests has the code and the reason of the decline', (t) => {
  const error = stripeEvent('payment_intent.payment_failed').data.object.last_payment_error as StripeObject;

  conforms(t, 'api_errors', error);
  t.is(error.code, 'card_declined');
  t.is(error.decline_code, 'insufficient_funds');
});

test('a complete session of the tests is paid, or its money has not arrived yet', (t) => {
  const paid = stripeEvent('checkout.session.completed', { amount_total: 500_000, currency: 'ngn' }).data.object;
  const unpaid = stripeEvent('checkout.session.completed', { payment_status: 'unpaid' }).data.object;

  t.like(paid, { status: 'complete', payment_status: 'paid', amount_total: 500_000, currency: 'ngn' });
  t.like(unpaid, { status: 'complete', payment_status: 'unpaid' });
});

test('the package stripe accepts our signature of an event', (t) => {
  const event = stripeEvent('checkout.session.completed', { client_reference_id: 'commande-é-1042', livemode: true });

  const { body, signature } = signStripeEvent(event, secret);

  t.deepEqual<unknown, unknown>(Stripe.webhooks.constructEvent(body, signature, secret), event);
  t.true(event.livemode);
});

test('the package stripe refuses a signature with another secret, a changed body, and an old signature', (t) => {
  const event = stripeEvent('checkout.session.expired');
  const { body, signature } = signStripeEvent(event, secret);
  const old = signStripeEvent(event, secret, { timestamp: Math.floor(Date.now() / 1000) - 301 });

  const instanceOf = Stripe.errors.StripeSignatureVerificationError;
  t.throws(() => Stripe.webhooks.constructEvent(body, signature, `${secret}x`), { instanceOf });
  t.throws(() => Stripe.webhooks.constructEvent(`${body} `, signature, secret), { instanceOf });
  t.throws(() => Stripe.webhooks.constructEvent(old.body, old.signature, secret), { instanceOf, message: /tolerance/ });
});
