/** A session of Stripe Checkout: the parameters that create it, and the verdict that it gives. */

import { asciiEmail } from '@tillhook/openapi/rules/fields';
import type { Stripe } from 'stripe';
import type { Card, Decline } from '../kit/card.ts';
import type { Charge, Verdict } from './port.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';
import { stripeLocale } from './stripe-locale.ts';

export type Session = Stripe.Checkout.Session;

const minuteMs = 60_000;
/**
 * Stripe accepts a lifetime from 30 minutes to 24 hours, counted from the moment when the request reaches it. The
 * margin of five minutes is for the time between our clock and that moment.
 */
const shortestLifeMs = 35 * minuteMs;
const longestLifeMs = (24 * 60 - 5) * minuteMs;
const longestName = 250;
const longestMessage = 200;
const longestCode = 60;

/**
 * The parameters depend on the attempt alone, never on the time of the call: Stripe refuses an idempotency key that
 * comes again with other parameters.
 * See docs/decisions/processors.md, "What Stripe is asked follows from the attempt alone".
 */
export function sessionOf(charge: Charge): Stripe.Checkout.SessionCreateParams {
  const metadata = { attemptId: charge.attemptId, reference: charge.reference };
  const name = (charge.description?.trim() || `Payment ${charge.reference}`).slice(0, longestName);
  const life = charge.expiresAt.getTime() - charge.startedAt.getTime();
  const expiresAt = charge.startedAt.getTime() + Math.min(Math.max(life, shortestLifeMs), longestLifeMs);
  const price = {
    currency: charge.currency.toLowerCase(),
    unit_amount: Number(toStripeAmount(charge.amount, charge.currency)),
    product_data: { name },
  };
  return {
    mode: 'payment',
    payment_method_types: ['card'],
    line_items: [{ quantity: 1, price_data: price }],
    // Otherwise Stripe may ask the customer for another amount, in the customer's own currency.
    adaptive_pricing: { enabled: false },
    client_reference_id: charge.reference,
    customer_email: asciiEmail(charge.customerEmail),
    metadata,
    payment_intent_data: { metadata, ...statementOf(charge) },
    success_url: charge.paidUrl,
    cancel_url: charge.backUrl,
    expires_at: Math.floor(expiresAt / 1000),
    locale: stripeLocale(charge.locale),
  };
}

/** Stripe puts its account's prefix before it, and refuses a `*`, which other networks allow. */
function statementOf({ statementName }: Charge): Stripe.Checkout.SessionCreateParams.PaymentIntentData {
  return statementName === null ? {} : { statement_descriptor_suffix: statementName.replaceAll('*', '-') };
}

export function verdictOf(session: Session, charge?: Charge): Verdict {
  if (session.payment_status === 'paid') {
    const currency = (session.currency ?? charge?.currency ?? '').toUpperCase();
    const used = usedCardOf(session);
    // A paid session without an amount counts as zero, which is not
    // the payment's amount, so the payment goes to review.
    const amount = fromStripeAmount(BigInt(session.amount_total ?? 0), currency);
    return { result: 'paid', amount, currency, ...(used && { card: cardOf(used), askedForStep: wasConfirmed(used) }) };
  }
  const decline = declineOf(intentOf(session));
  const declined = decline && { decline };
  if (session.status === 'expired') return { result: 'cancelled', ...declined };
  if (session.status !== 'open') return { result: 'unknown' };
  return { result: 'open', processorId: session.id, ...(session.url && { actionUrl: session.url }), ...declined };
}

function intentOf({ payment_intent: intent }: Session): Stripe.PaymentIntent | null {
  return typeof intent === 'string' ? null : (intent ?? null);
}

type UsedCard = Stripe.Charge.PaymentMethodDetails.Card & { last4: string };

function usedCardOf(session: Session): UsedCard | null {
  const charge = intentOf(session)?.latest_charge;
  const card = typeof charge === 'string' ? null : charge?.payment_method_details?.card;
  return card?.last4 ? (card as UsedCard) : null;
}

function cardOf({ brand, last4 }: UsedCard): Card {
  const known = brands.find((each) => each === brand);
  return { brand: known ?? 'unknown', last4 };
}

const brands = ['visa', 'mastercard', 'amex'] as const;

function wasConfirmed({ three_d_secure: step }: UsedCard): boolean {
  return Boolean(step?.result);
}

export function declineOf(intent: Stripe.PaymentIntent | null): Decline | null {
  const failure = intent?.last_payment_error;
  if (!failure) return null;
  return {
    code: (failure.decline_code ?? failure.code ?? 'card_declined').slice(0, longestCode),
    // Without a full stop, like every message here: the page adds it.
    message: (failure.message ?? 'The card was declined').replace(/[.]$/, '').slice(0, longestMessage),
  };
}
