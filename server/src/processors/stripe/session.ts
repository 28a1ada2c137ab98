import { asciiEmail } from '@tillhook/openapi/rules/fields';
import type { Stripe } from 'stripe';
import type { Card, Decline } from '../../kit/card.ts';
import type { Charge, Verdict } from '../port.ts';
import { fromStripeAmount, toStripeAmount } from './amount.ts';

export type Session = Stripe.Checkout.Session;

const minuteMs = 60_000;
/** Stripe accepts a lifetime of 30 minutes to 24 hours. The margin of five minutes is for delays and wrong clocks. */
const minLifeMs = 35 * minuteMs;
const maxLifeMs = (24 * 60 - 5) * minuteMs;
const maxNameLength = 250;
const maxMessageLength = 200;
const maxCodeLength = 60;

// Stripe refuses a repeated idempotency key with other parameters, so no parameter depends on the time of the call.
// See docs/decisions/processors.md, "The parameters of a Stripe session come from the attempt alone".
export function sessionOf(charge: Charge): Stripe.Checkout.SessionCreateParams {
  const metadata = { attemptId: charge.attemptId, reference: charge.reference };
  const name = (charge.description?.trim() || `Payment ${charge.reference}`).slice(0, maxNameLength);
  const life = charge.expiresAt.getTime() - charge.startedAt.getTime();
  const expiresAt = charge.startedAt.getTime() + Math.min(Math.max(life, minLifeMs), maxLifeMs);
  const price = {
    currency: charge.currency.toLowerCase(),
    unit_amount: Number(toStripeAmount(charge.amount, charge.currency)),
    product_data: { name },
  };
  return {
    mode: 'payment',
    payment_method_types: ['card'],
    line_items: [{ quantity: 1, price_data: price }],
    // With adaptive pricing, Stripe may convert the amount to the customer's own currency.
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

/** Stripe refuses a `*` in the suffix of the statement descriptor, although card networks allow it. */
function statementOf({ statementName }: Charge): Stripe.Checkout.SessionCreateParams.PaymentIntentData {
  return statementName === null ? {} : { statement_descriptor_suffix: statementName.replaceAll('*', '-') };
}

export function stripeLocale(wanted: string | null): Locale {
  const [language = ''] = wanted?.split('-') ?? [];
  return locales.find((locale) => locale === wanted) ?? locales.find((locale) => locale === language) ?? 'auto';
}

type Locale = Stripe.Checkout.SessionCreateParams.Locale;

/** The locales that Stripe supports. Stripe refuses a request with any other locale. */
const locales: readonly Locale[] = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'es-419',
  'et',
  'fi',
  'fil',
  'fr',
  'fr-CA',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'vi',
  'zh',
  'zh-HK',
  'zh-TW',
];

export function verdictOf(session: Session, charge?: Charge): Verdict {
  if (session.payment_status === 'paid') {
    const currency = (session.currency ?? charge?.currency ?? '').toUpperCase();
    const used = usedCardOf(session);
    // A missing amount becomes 0, which differs from the payment's amount, so the payment goes to review.
    const amount = fromStripeAmount(BigInt(session.amount_total ?? 0), currency);
    return { result: 'paid', amount, currency, ...(used && { card: cardOf(used), askedForStep: askedForStep(used) }) };
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

function askedForStep({ three_d_secure: step }: UsedCard): boolean {
  return Boolean(step?.result);
}

export function declineOf(intent: Stripe.PaymentIntent | null): Decline | null {
  const failure = intent?.last_payment_error;
  if (!failure) return null;
  return {
    code: (failure.decline_code ?? failure.code ?? 'card_declined').slice(0, maxCodeLength),
    // Our messages have no full stop, because the page adds it.
    message: (failure.message ?? 'The card was declined').replace(/[.]$/, '').slice(0, maxMessageLength),
  };
}
