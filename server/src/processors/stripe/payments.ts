// See docs/decisions/processors.md, "The package `stripe` is pinned to the version of stripe-mock".
import type { IncomingHttpHeaders } from 'node:http';
import { Stripe } from 'stripe';
import type { Logger } from '../../kit/logger.ts';
import {
  type Charge,
  InvalidSignatureError,
  type ProcessorEvent,
  type RedirectProcessor,
  type Verdict,
} from '../port.ts';
import { acceptsAmount } from './amount.ts';
import { describe, isRequestError, processorError } from './errors.ts';
import { createStripeRefunds, readRefundEvent, refundEventTypes } from './refunds.ts';
import { declineOf, type Session, sessionOf, verdictOf } from './session.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
}

const timeoutMs = 10_000;

const withTestKey =
  "STRIPE_SECRET_KEY is a key of Stripe's test mode: customers pay live payments with test cards, and no money moves";

export function createStripe({ secretKey, webhookSecret, apiUrl }: StripeSettings, log: Logger): RedirectProcessor {
  if (secretKey.includes('_test_')) log.warn(withTestKey);
  const client = createClient(secretKey, apiUrl);
  const { sessions } = client.checkout;

  async function start(charge: Charge): Promise<Verdict> {
    try {
      return verdictOf(await sessions.create(sessionOf(charge), { idempotencyKey: charge.attemptId }), charge);
    } catch (error) {
      if (!isRequestError(error)) throw processorError(error);
      log.error({ attemptId: charge.attemptId, reason: describe(error) }, 'Stripe refused to start a payment');
      return { result: 'declined', code: 'processing_error', message: 'The payment could not be started' };
    }
  }

  async function status(charge: Charge): Promise<Verdict> {
    return charge.processorId === null ? start(charge) : verdictOf(await retrieve(charge.processorId), charge);
  }

  /** Expires the session, and never cancels its payment intent. */
  async function cancel(charge: Charge): Promise<Verdict> {
    // Without an id at Stripe, we never received the session's URL, so no customer was sent there.
    if (charge.processorId === null) return { result: 'cancelled', isUnsent: true };
    try {
      return verdictOf(await sessions.expire(charge.processorId, { expand: ['payment_intent'] }), charge);
    } catch (error) {
      // Stripe refuses to expire a paid or expired session. The error's wording may change, so the status decides.
      if (isRequestError(error)) return status(charge);
      throw processorError(error);
    }
  }

  async function retrieve(id: string): Promise<Session> {
    try {
      return await sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
    } catch (error) {
      throw processorError(error);
    }
  }

  async function parseWebhook(body: Buffer, headers: IncomingHttpHeaders): Promise<ProcessorEvent | null> {
    const signed = verifyEvent(body, headers['stripe-signature'] ?? '', webhookSecret);
    if (refundEventTypes.includes(signed.type)) return readRefundEvent(client, signed);
    return attemptEventTypes.includes(signed.type) ? readAttemptEvent(signed as KnownEvent) : null;
  }

  // Stripe's event does not contain the card, so the session is read from Stripe.
  // See docs/decisions/processors.md, "A signed event of Stripe settles the payment, with or without the card".
  async function readAttemptEvent(event: KnownEvent): Promise<ProcessorEvent | null> {
    const attemptId = attemptOf(event);
    if (!attemptId) return null;
    if (event.type === 'payment_intent.payment_failed') {
      const decline = declineOf(event.data.object);
      return { about: 'attempt', id: event.id, attemptId, verdict: { result: 'open', ...(decline && { decline }) } };
    }
    if (event.type === 'checkout.session.async_payment_failed') {
      const verdict = { result: 'declined', code: 'payment_failed', message: 'The payment failed' } as const;
      return { about: 'attempt', id: event.id, attemptId, verdict };
    }
    const fromEvent = verdictOf(event.data.object);
    const session = fromEvent.result === 'paid' ? await retrieve(event.data.object.id).catch(() => null) : null;
    const fromSession = session && verdictOf(session);
    const verdict = fromSession?.result === 'paid' ? fromSession : fromEvent;
    return { about: 'attempt', id: event.id, attemptId, verdict };
  }

  return {
    name: 'stripe',
    takes: 'redirect',
    accepts: acceptsAmount,
    start,
    status,
    cancel,
    parseWebhook,
    ...createStripeRefunds(client),
  };
}

function createClient(secretKey: string, apiUrl: string): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Tillhook' },
  });
}

type KnownEvent =
  | Stripe.CheckoutSessionCompletedEvent
  | Stripe.CheckoutSessionExpiredEvent
  | Stripe.CheckoutSessionAsyncPaymentSucceededEvent
  | Stripe.CheckoutSessionAsyncPaymentFailedEvent
  | Stripe.PaymentIntentPaymentFailedEvent;

const attemptEventTypes: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.payment_failed',
] satisfies KnownEvent['type'][];

/** The endpoint at Stripe must subscribe to these events. `.env.example` and the guide for operators list them. */
export const webhookEventTypes: readonly string[] = [...attemptEventTypes, ...refundEventTypes];

function verifyEvent(body: Buffer, signature: string | string[], secret: string): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret);
  } catch (error) {
    throw new InvalidSignatureError('Webhook signature does not match STRIPE_WEBHOOK_SECRET', { cause: error });
  }
}

/** Returns undefined for a payment of another service, which may use the same Stripe account. */
function attemptOf(event: KnownEvent): string | undefined {
  return event.data.object.metadata?.attemptId;
}
