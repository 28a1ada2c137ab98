/**
 * `stripe-fixtures.json` has six objects and their schemas from Stripe's public OpenAPI specification
 * (github.com/stripe/openapi, MIT licence), as stripe-mock 0.197.0 contains them, without the property `source`. The
 * functions below remove properties that our payments do not have.
 */
import { createHmac, randomBytes } from 'node:crypto';
import data from './stripe-fixtures.json' with { type: 'json' };

export interface StripeObject {
  [property: string]: unknown;
}

export interface StripeEvent extends StripeObject {
  id: string;
  object: 'event';
  type: StripeEventType;
  created: number;
  livemode: boolean;
  data: { object: StripeObject };
}

export type StripeEventType = keyof typeof builders;

const builders = {
  'checkout.session.completed': paidSession,
  'checkout.session.async_payment_succeeded': paidSession,
  'checkout.session.async_payment_failed': completedSession,
  'checkout.session.expired': (own: StripeObject) => checkoutSession({ status: 'expired', url: null, ...own }),
  'payment_intent.payment_failed': declinedPaymentIntent,
  'payment_intent.succeeded': succeededPaymentIntent,
  'charge.succeeded': charge,
  'charge.refunded': (own: StripeObject) => charge({ amount_refunded: own.amount ?? 1099, refunded: true, ...own }),
  'refund.created': (own: StripeObject) => refund({ status: 'pending', ...own }),
  'refund.updated': refund,
  'refund.failed': (own: StripeObject) => refund({ status: 'failed', failure_reason: 'lost_or_stolen_card', ...own }),
  'charge.dispute.created': dispute,
  'charge.dispute.updated': (own: StripeObject) => dispute({ status: 'under_review', ...own }),
  'charge.dispute.closed': (own: StripeObject) => dispute({ status: 'lost', ...own }),
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': (own: StripeObject) => dispute({ status: 'won', ...own }),
};

export const stripeEventTypes = Object.keys(builders) as StripeEventType[];

/** `own` replaces properties of the object. */
export function stripeEvent(type: StripeEventType, own: StripeObject = {}): StripeEvent {
  const object: StripeObject = builders[type](own);
  return {
    ...data.fixtures.event,
    object: 'event',
    id: stripeId('evt_'),
    created: nowSeconds(),
    livemode: object.livemode === true,
    pending_webhooks: 1,
    data: { object },
    type,
  };
}

/** An open, unpaid session without a payment intent. */
export function checkoutSession(own: StripeObject = {}): StripeObject {
  const amount = own.amount_total ?? 1099;
  const id = own.id ?? stripeId('cs_test_');
  return {
    ...data.fixtures['checkout.session'],
    id,
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    amount_subtotal: amount,
    amount_total: amount,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: nowSeconds(),
    currency: 'usd',
    currency_conversion: null,
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    expires_at: nowSeconds() + 24 * 60 * 60,
    invoice_creation: null,
    payment_intent: null,
    payment_method_configuration_details: null,
    shipping_address_collection: null,
    shipping_cost: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `https://checkout.stripe.com/c/pay/${id}`,
    ...own,
  };
}

function paidSession(own: StripeObject): StripeObject {
  return completedSession({ payment_status: 'paid', ...own });
}

function completedSession(own: StripeObject): StripeObject {
  return checkoutSession({ status: 'complete', url: null, payment_intent: stripeId('pi_'), ...own });
}

export function paymentIntent(own: StripeObject = {}): StripeObject {
  const id = own.id ?? stripeId('pi_');
  return {
    ...data.fixtures.payment_intent,
    id,
    canceled_at: null,
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    created: nowSeconds(),
    last_payment_error: null,
    next_action: null,
    payment_method_configuration_details: null,
    processing: null,
    shipping: null,
    transfer_data: null,
    ...own,
  };
}

export function succeededPaymentIntent(own: StripeObject = {}): StripeObject {
  const intent = paymentIntent({
    latest_charge: stripeId('ch_'),
    payment_method: stripeId('pm_'),
    status: 'succeeded',
    ...own,
  });
  return { ...intent, amount_received: own.amount_received ?? intent.amount };
}

/** A payment intent whose card was declined for insufficient funds. The payment intent waits for another card. */
export function declinedPaymentIntent(own: StripeObject = {}): StripeObject {
  const chargeId = stripeId('ch_');
  return paymentIntent({
    last_payment_error: {
      charge: chargeId,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      doc_url: 'https://docs.stripe.com/error-codes/card-declined',
      message: 'Your card has insufficient funds.',
      type: 'card_error',
    },
    latest_charge: chargeId,
    status: 'requires_payment_method',
    ...own,
  });
}

export function charge(own: StripeObject = {}): StripeObject {
  const amount = own.amount ?? 1099;
  return {
    ...data.fixtures.charge,
    id: stripeId('ch_'),
    amount,
    amount_captured: amount,
    captured: true,
    created: nowSeconds(),
    description: null,
    outcome: { ...data.fixtures.charge.outcome, network_status: 'approved_by_network', type: 'authorized' },
    payment_intent: stripeId('pi_'),
    payment_method: stripeId('pm_'),
    receipt_url: null,
    shipping: null,
    transfer_data: null,
    ...own,
  };
}

export function refund(own: StripeObject = {}): StripeObject {
  return {
    ...data.fixtures.refund,
    id: stripeId('re_'),
    charge: stripeId('ch_'),
    created: nowSeconds(),
    payment_intent: stripeId('pi_'),
    ...own,
  };
}

/** A dispute: the customer's bank takes back the money of a charge, and the merchant has to respond. */
export function dispute(own: StripeObject = {}): StripeObject {
  return {
    ...data.fixtures.dispute,
    id: stripeId('dp_'),
    charge: stripeId('ch_'),
    created: nowSeconds(),
    is_charge_refundable: false,
    payment_intent: stripeId('pi_'),
    reason: 'fraudulent',
    status: 'needs_response',
    ...own,
  };
}

/**
 * The server verifies with the stripe package, so this code signs without it:
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function signStripeEvent(
  event: StripeObject,
  secret: string,
  { timestamp = nowSeconds() }: { timestamp?: number } = {},
): { body: string; signature: string } {
  // Stripe indents its JSON by two spaces.
  const body = JSON.stringify(event, null, 2);
  const v1 = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { body, signature: `t=${timestamp},v1=${v1}` };
}

function stripeId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
