/**
 * Live payments by Stripe Checkout. The customer gives the card on Stripe's page, so card
 * data never reaches this service. A session is created from the attempt alone, with the
 * attempt's id as idempotency key: when the answer was lost, the same call returns the same
 * session. To cancel, this code expires the session; it never cancels the payment intent.
 * See docs/decisions/processors.md, "The package `stripe` is pinned to the version of stripe-mock".
 */
import { Stripe } from 'stripe';
import type { Logger } from '../kit/logger.ts';
import {
  type Charge,
  InvalidSignatureError,
  type ProcessorEvent,
  type RedirectProcessor,
  type Verdict,
} from './port.ts';
import { acceptsAmount } from './stripe-amount.ts';
import { describe, isRefusal, processorError } from './stripe-errors.ts';
import { createStripeRefunds, readRefundEvent, refundEventTypes } from './stripe-refunds.ts';
import { declineOf, type Session, sessionOf, verdictOf } from './stripe-session.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
}

const timeoutMs = 10_000;

export function createStripe({ secretKey, webhookSecret, apiUrl }: StripeSettings, log: Logger): RedirectProcessor {
  const client = createClient(secretKey, apiUrl);
  const { sessions } = client.checkout;

  async function start(charge: Charge): Promise<Verdict> {
    try {
      return verdictOf(await sessions.create(sessionOf(charge), { idempotencyKey: charge.attemptId }), charge);
    } catch (error) {
      if (!isRefusal(error)) throw processorError(error);
      log.error({ attemptId: charge.attemptId, reason: describe(error) }, 'Stripe refused to start a payment');
      return { result: 'declined', code: 'processing_error', message: 'The payment could not be started' };
    }
  }

  async function status(charge: Charge): Promise<Verdict> {
    return charge.processorId === null ? start(charge) : verdictOf(await retrieve(charge.processorId), charge);
  }

  async function cancel(charge: Charge): Promise<Verdict> {
    // Without an id, the session's address never reached us, so no customer was sent to it.
    if (charge.processorId === null) return { result: 'cancelled', isUnsent: true };
    try {
      return verdictOf(await sessions.expire(charge.processorId, { expand: ['payment_intent'] }), charge);
    } catch (error) {
      // Stripe refuses to expire a session that is paid or expired
      // already. Its message may change, so the status is asked.
      if (isRefusal(error)) return status(charge);
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

  /**
   * Stripe's event does not contain the card, so the session is read again
   * for it. If that call fails, the verdict comes from the event alone.
   * See docs/decisions/processors.md, "Stripe's events are believed, and its API is asked for the card".
   */
  async function parseWebhook(body: Buffer, signature: string): Promise<ProcessorEvent | null> {
    const signed = readEvent(body, signature, webhookSecret);
    if (refundEventTypes.includes(signed.type)) return readRefundEvent(client, signed);
    return attemptEventTypes.includes(signed.type) ? readAttemptEvent(signed as KnownEvent) : null;
  }

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

/** The events that the endpoint at Stripe must have: `.env.example` and the guide for operators list them. */
export const webhookEventTypes: readonly string[] = [...attemptEventTypes, ...refundEventTypes];

function readEvent(body: Buffer, signature: string, secret: string): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret);
  } catch (error) {
    // The cause contains the body and the header, so the code that catches this error must not log it.
    throw new InvalidSignatureError('Webhook signature does not match STRIPE_WEBHOOK_SECRET', { cause: error });
  }
}

/** Undefined for an event that this service did not cause: the Stripe account may also sell elsewhere. */
function attemptOf(event: KnownEvent): string | undefined {
  return event.data.object.metadata?.attemptId;
}
