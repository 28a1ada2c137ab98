import type { WebhookEvent, WebhookEvents } from '@tillhook/openapi';
import type { Payment, Transfer } from './generated/schemas.ts';
import {
  type Arrival,
  type RawBody,
  readArrival,
  readBody,
  type Secrets,
  type VerifyOptions,
  type Webhook,
  type WebhookHeaders,
} from './webhook-arrival.ts';
import { readSecret, serviceSignature, standardSignature } from './webhook-signature.ts';
import { failureOf, nowInSeconds, type VerificationFailure } from './webhook-verification.ts';

export type { EventName, WebhookEvent, WebhookEvents } from '@tillhook/openapi';
export type { Arrival, RawBody, Secrets, VerifyOptions, WebhookHeaders } from './webhook-arrival.ts';
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

/** Where an event's payment or transfer is looked up; a `Tillhook` client is one. */
export interface Records {
  payments: { get: (reference: string) => PromiseLike<Payment> };
  transfers: { get: (reference: string) => PromiseLike<Transfer> };
}

/** How a webhook is unwrapped, with the record that the event is about. */
export interface ExpandOptions extends VerifyOptions {
  /** Gets the record, which holds what a webhook does not, `metadata` for example. Throws what the client throws. */
  expand: Records;
}

type CheckoutEvent = WebhookEvents['checkout.success' | 'checkout.failed'];
type TransferEvent = WebhookEvents['transfer.success' | 'transfer.failed'];

/** An event with the record that it is about. */
export type ExpandedWebhookEvent =
  | (CheckoutEvent & { payment: Payment })
  | (TransferEvent & { transfer: Transfer })
  | WebhookEvents['test.event'];

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
 *
 * @example
 * const event = await unwrap(request, 'whsec_…', { expand: tillhook });
 * if (event.event === 'checkout.success') await ship(event.payment.metadata.cartId);
 */
export function unwrap(request: Request, secrets: Secrets, options: ExpandOptions): Promise<Expanded>;
export function unwrap(
  ...webhook: [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options: ExpandOptions]
): Promise<Expanded>;
export function unwrap(request: Request, secrets: Secrets, options?: VerifyOptions): Promise<Plain>;
export function unwrap(
  ...webhook: [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options?: VerifyOptions]
): Promise<Plain>;
export async function unwrap(...arrival: Arrival<Partial<ExpandOptions>>): Promise<Expanded | Plain> {
  const webhook = await verified(arrival);
  const event = eventIn(webhook);
  const { expand } = webhook.options ?? {};
  return expand ? expanded(event, expand) : event;
}

type Plain = WebhookEvent | UnknownWebhookEvent;
type Expanded = ExpandedWebhookEvent | UnknownWebhookEvent;

/**
 * Verifies a webhook as `unwrap` does, and gives nothing: it throws or it does not.
 *
 * Choice: no boolean, because with a forgotten `await` the condition `if (verify(…))` would hold
 * for every forger.
 *
 * @example
 * await verify(rawBody, request.headers, 'whsec_…');
 */
export async function verify(...arrival: Arrival<VerifyOptions>): Promise<void> {
  await verified(arrival);
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
  missing_headers:
    'Signature headers are missing: pass all headers as received. X-Service-Signature alone needs requireTimestamp: false.',
  wrong_signature: 'No signature matches: another secret, or the body is not byte for byte as it was sent.',
  timestamp_out_of_tolerance: 'Signed too far from now: a replay, or a wrong clock.',
  invalid_body: 'Signed, but the body is no event.',
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
  const { id = crypto.randomUUID() } = options;
  const timestamp = String(options.timestamp ?? nowInSeconds());
  const [bytes, keys] = [readBody(body), readSecret(secret)];
  return {
    'X-Service-Signature': await serviceSignature(keys, bytes),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await standardSignature(keys, { id, timestamp, body: bytes }),
  };
}

async function verified<Options extends VerifyOptions>(arrival: Arrival<Options>): Promise<Webhook<Options>> {
  const webhook = await readArrival(arrival);
  const failure = await failureOf(webhook);
  if (failure) throw new WebhookVerificationError(failure);
  return webhook;
}

const decoder = new TextDecoder();

function eventIn({ body }: Webhook): Plain {
  try {
    const event = JSON.parse(decoder.decode(body));
    if (typeof event?.event === 'string') return event;
  } catch {
    // Refused below, like JSON that is no event.
  }
  throw new WebhookVerificationError('invalid_body');
}

async function expanded(event: Plain, { payments, transfers }: Records): Promise<Expanded> {
  const { reference } = Object(event.data) as { reference: string };
  const [, about] = /^(checkout|transfer)\.(success|failed)$/.exec(event.event) ?? [];
  if (about === 'checkout') return { ...(event as CheckoutEvent), payment: await payments.get(reference) };
  if (about) return { ...(event as TransferEvent), transfer: await transfers.get(reference) };
  // An event that is new is nobody's to look up.
  return event as Expanded;
}
