import type { WebhookEvent } from '@tillhook/openapi';
import { type Delivery, type RawBody, readBody, readDelivery } from './webhook-delivery.ts';
import { type Bytes, readSecret, serviceSignature, standardSignature } from './webhook-signature.ts';
import { failureOf, nowInSeconds, type VerificationFailure } from './webhook-verification.ts';

export type { EventName, WebhookEvent, WebhookEvents } from '@tillhook/openapi';
export type { Delivery, RawBody, VerifyOptions, WebhookHeaders } from './webhook-delivery.ts';
export type { VerificationFailure } from './webhook-verification.ts';

/**
 * An event that this version of the SDK does not know. `event` is its name as the server sent it;
 * only its type has the word `(unknown)` in it, a pattern that no known name fits, because then
 * `event.event === 'checkout.success'` narrows to the known event.
 */
export interface UnknownWebhookEvent {
  event: `(unknown) ${string}`;
  data: unknown;
  timestamp: string;
  webhookId: string;
}

/**
 * Verifies a webhook and gives its event. Throws a `WebhookVerificationError` when the webhook is
 * not to be trusted (answer 400), and a `TypeError` when it was called wrongly (fix the code).
 *
 * @example
 * const event = await unwrap(rawBody, request.headers, 'whsec_…');
 * if (event.event === 'checkout.success') await ship(event.data.reference);
 *
 * @example
 * const event = await unwrap(request, ['whsec_…', 'whsec_…']); // A web Request; either secret will do.
 */
export async function unwrap(...delivery: Delivery): Promise<WebhookEvent | UnknownWebhookEvent> {
  return eventIn(await verifiedBody(delivery));
}

/**
 * Verifies a webhook as `unwrap` does, and gives nothing: it throws or it does not.
 *
 * Choice: no boolean, because with a forgotten `await` the condition `if (verify(…))` would hold
 * for every forger.
 *
 * @example
 * await verify(rawBody, request.headers, 'whsec_…');
 */
export async function verify(...delivery: Delivery): Promise<void> {
  await verifiedBody(delivery);
}

/**
 * A webhook that is not to be trusted. Answer it with 400 and do nothing else.
 *
 * @example
 * if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 400 });
 */
export class WebhookVerificationError extends Error {
  /** Why it was not accepted. */
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure) {
    super(messages[code]);
    this.code = code;
  }

  override get name(): 'WebhookVerificationError' {
    return 'WebhookVerificationError';
  }
}

const messages: Record<VerificationFailure, string> = {
  missing_headers: 'The webhook has no signature, or one without webhook-id and webhook-timestamp.',
  wrong_signature: 'No signature matches: the secret is another one, or the body is not byte for byte what was sent.',
  timestamp_out_of_tolerance: 'The webhook was signed too far from now: it is a replay, or a clock is wrong.',
  invalid_body: 'The webhook is signed, but its body is not an event.',
};

/** The headers that prove where a webhook comes from. */
export type SignatureHeaders = Record<
  'X-Service-Signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** What `sign` puts into the headers besides the signatures. */
export interface SignOptions {
  /** The event's id; a random one when omitted. */
  id?: string;
  /** The time of the attempt in Unix seconds; now when omitted. */
  timestamp?: number;
}

/**
 * Signs a body as the server does, to test a receiver with.
 *
 * @example
 * const headers = await sign(body, 'whsec_…', { id: 'event-1' });
 * await fetch('http://localhost:4000/webhooks', { method: 'POST', headers, body });
 */
export async function sign(body: RawBody, secret: string, options: SignOptions = {}): Promise<SignatureHeaders> {
  const { id = crypto.randomUUID(), timestamp = nowInSeconds() } = options;
  const [bytes, keys] = [readBody(body), readSecret(secret)];
  return {
    'X-Service-Signature': await serviceSignature(keys, bytes),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await standardSignature(keys, { id, timestamp: String(timestamp), body: bytes }),
  };
}

async function verifiedBody(delivery: Delivery): Promise<Bytes> {
  const webhook = await readDelivery(delivery);
  const failure = await failureOf(webhook);
  if (failure) throw new WebhookVerificationError(failure);
  return webhook.body;
}

function eventIn(body: Bytes): WebhookEvent | UnknownWebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body));
    if (typeof event?.event === 'string') return event;
  } catch {
    // Refused below, like JSON that is no event.
  }
  throw new WebhookVerificationError('invalid_body');
}
