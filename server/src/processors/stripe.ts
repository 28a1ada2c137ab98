/**
 * Live payments by Stripe Checkout: the customer gives the card on Stripe's page, so none is ever here. A session is made
 * under the attempt's id as idempotency key and from nothing but the attempt, so that asking again for one whose answer was
 * lost finds the same. Sessions are expired, never intents cancelled. Loaded only where it is configured.
 * See docs/decisions/processors.md, "The package `stripe` is pinned to the version of stripe-mock".
 */
import { Stripe } from 'stripe';
import type { Logger } from '../kit/logger.ts';
import {
  type Charge,
  ForgedEvent,
  ProcessorError,
  type ProcessorEvent,
  type RedirectProcessor,
  type Verdict,
} from './port.ts';
import { takesAmount } from './stripe-amount.ts';
import { declineOf, type Session, sessionOf, verdictOf } from './stripe-session.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
}

const timeoutMs = 10_000;

export function createStripe({ secretKey, webhookSecret, apiUrl }: StripeSettings, log: Logger): RedirectProcessor {
  const { sessions } = connect(secretKey, apiUrl).checkout;

  async function start(charge: Charge): Promise<Verdict> {
    try {
      return verdictOf(await sessions.create(sessionOf(charge), { idempotencyKey: charge.attemptId }), charge);
    } catch (error) {
      if (!isRefusal(error)) throw processorError(error);
      log.error({ attemptId: charge.attemptId, reason: describe(error) }, 'Stripe refuses to take a payment');
      return { result: 'declined', code: 'processing_error', message: 'The payment could not be started' };
    }
  }

  async function status(charge: Charge): Promise<Verdict> {
    return charge.processorId === null ? start(charge) : verdictOf(await retrieve(charge.processorId), charge);
  }

  async function cancel(charge: Charge): Promise<Verdict> {
    // Nobody was ever sent to a session whose address never reached us.
    if (charge.processorId === null) return { result: 'cancelled', isUnsent: true };
    try {
      return verdictOf(await sessions.expire(charge.processorId, { expand: ['payment_intent'] }), charge);
    } catch (error) {
      // It says so of one that is paid or expired already; in which words may change.
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
   * A session's event does not say by which card it was paid. Without an answer what it does say is enough.
   * See docs/decisions/processors.md, "Stripe's events are believed, and its API is asked for the card".
   */
  async function parseWebhook(body: Buffer, signature: string): Promise<ProcessorEvent | null> {
    const event = readEvent(body, signature, webhookSecret);
    const attemptId = event && attemptOf(event);
    if (!event || !attemptId) return null;
    if (event.type === 'payment_intent.payment_failed') {
      const decline = declineOf(event.data.object);
      return { id: event.id, attemptId, verdict: { result: 'open', ...(decline && { decline }) } };
    }
    if (event.type === 'checkout.session.async_payment_failed') {
      const verdict = { result: 'declined', code: 'payment_failed', message: 'The payment failed' } as const;
      return { id: event.id, attemptId, verdict };
    }
    const told = verdictOf(event.data.object);
    const session = told.result === 'paid' ? await retrieve(event.data.object.id).catch(() => null) : null;
    const asked = session && verdictOf(session);
    return { id: event.id, attemptId, verdict: asked?.result === 'paid' ? asked : told };
  }

  return { name: 'stripe', takes: 'redirect', accepts: takesAmount, start, status, cancel, parseWebhook };
}

function connect(secretKey: string, apiUrl: string): Stripe {
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

const knownTypes: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.payment_failed',
] satisfies KnownEvent['type'][];

function readEvent(body: Buffer, signature: string, secret: string): KnownEvent | null {
  try {
    const event = Stripe.webhooks.constructEvent(body, signature, secret);
    return knownTypes.includes(event.type) ? (event as KnownEvent) : null;
  } catch (error) {
    // Its cause holds the body and the header, so whoever catches this logs nothing of it.
    throw new ForgedEvent('The signature of this event is not by the processor', { cause: error });
  }
}

/** None of an account that sells elsewhere too. */
function attemptOf(event: KnownEvent): string | undefined {
  return event.data.object.metadata?.attemptId;
}

/**
 * Stripe will have nothing of it: certainly nothing was made, and asking again is no use. By the status, because a key that
 * is still in flight is a 409 of the same class.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
}

function processorError(error: unknown): ProcessorError {
  return new ProcessorError(describe(error));
}

/** Without the message, which can hold a part of the key. */
function describe(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return 'something else failed';
  const { type, statusCode, code, param, requestId } = error;
  return [type, statusCode, code, param, requestId].filter((part) => part !== undefined).join(' ');
}
