import type { EventName, WebhookEvent, WebhookEvents } from '@tillhook/openapi';
import type { Payment, Refund, Transfer } from './generated/schemas.ts';
import type { UnknownEventName } from './unknown-event-name.ts';
import {
  type Arrival,
  emptyBody,
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
export type { UnknownEventName } from './unknown-event-name.ts';
export type { Arrival, RawBody, Secrets, VerifyOptions, WebhookHeaders } from './webhook-arrival.ts';
export type { VerificationFailure } from './webhook-verification.ts';

/**
 * An event that this version of the SDK does not know. Its name can be compared like any other name: `event.event ===
 * 'payout.success'` narrows to this type, and `event.event === 'checkout.success'` narrows to the known event.
 */
export interface UnknownWebhookEvent {
  event: UnknownEventName;
  data: unknown;
  timestamp: string;
  webhookId: string;
}

/** An object that reads payments, transfers and refunds by their reference, such as a `Tillhook` client. */
export interface Records {
  payments: { get: (reference: string) => PromiseLike<Payment> };
  transfers: { get: (reference: string) => PromiseLike<Transfer> };
  refunds: { get: (reference: string) => PromiseLike<Refund> };
}

/** Options for unwrapping a webhook together with its payment, transfer or refund. */
export interface ExpandOptions extends VerifyOptions {
  /**
   * Reads the payment, transfer or refund, which has more fields than the webhook, for example `metadata`. `unwrap`
   * throws the errors of that call.
   */
  expand: Records;
}

type CheckoutEvent = WebhookEvents[Extract<EventName, `checkout.${string}`>];
type TransferEvent = WebhookEvents[Extract<EventName, `transfer.${string}`>];
type RefundEvent = WebhookEvents[Extract<EventName, `refund.${string}`>];

/** An event with its payment, transfer or refund. */
export type ExpandedWebhookEvent =
  | (CheckoutEvent & { payment: Payment })
  | (TransferEvent & { transfer: Transfer })
  | (RefundEvent & { refund: Refund })
  | WebhookEvents['test.event'];

/**
 * Verifies a webhook and returns its event. Throws a `WebhookVerificationError` if the webhook cannot be trusted
 * (answer 400), and a `TypeError` if the arguments are wrong (fix your code).
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
  const expand = webhook.options?.expand;
  return expand ? expanded(event, expand) : event;
}

type Plain = WebhookEvent | UnknownWebhookEvent;
type Expanded = ExpandedWebhookEvent | UnknownWebhookEvent;

/**
 * Verifies a webhook as `unwrap` does, but returns nothing. Throws if the webhook cannot be trusted.
 *
 * Choice: the result is no boolean, because without `await` the condition `if (verify(…))` would be true for every
 * forged webhook.
 *
 * @example
 * await verify(rawBody, request.headers, 'whsec_…');
 */
export async function verify(...arrival: Arrival<VerifyOptions>): Promise<void> {
  await verified(arrival);
}

/**
 * The webhook cannot be trusted. Answer 400 and do nothing else.
 * @example
 * if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 400 });
 */
export class WebhookVerificationError extends Error {
  /** The reason why the webhook was rejected. */
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure, message: string = messages[code]) {
    super(message);
    this.code = code;
  }

  override get name(): 'WebhookVerificationError' {
    return 'WebhookVerificationError';
  }
}

const messages: Record<VerificationFailure, string> = {
  empty_body: emptyBody,
  missing_headers:
    'Signature headers are missing: pass all headers as received, or X-Service-Signature with requireTimestamp: false.',
  wrong_signature: 'No signature matches: another secret, or the body differs byte for byte.',
  timestamp_out_of_tolerance: 'Signed too far from now: a replay, or a wrong clock.',
  invalid_body: 'Signed, but the body is no event.',
};

/** The headers that prove who sent a webhook. */
export type SignatureHeaders = Record<
  'X-Service-Signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** The values of the headers that `sign` makes, besides the signatures. */
export interface SignOptions {
  /** The id of the event, for `webhook-id`; a random id when omitted. */
  id?: string;
  /** The time of the attempt in Unix seconds, for `webhook-timestamp`; the current time when omitted. */
  timestamp?: number;
}

/**
 * Signs a body as the server does, for tests of a receiver.
 *
 * @example
 * const headers = await sign(body, 'whsec_…', { id: 'event-1' });
 * await fetch('http://localhost:4000/webhooks', { method: 'POST', headers, body });
 */
export async function sign(body: RawBody, secret: string, options: SignOptions = {}): Promise<SignatureHeaders> {
  const { id = crypto.randomUUID() } = options;
  const timestamp = String(options.timestamp ?? nowInSeconds());
  const bytes = readBody(body);
  const keys = readSecret(secret);
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
  // See docs/decisions/sdk.md, "A call can return its Response, and a base64 body is rejected with a reason".
  if (failure === 'wrong_signature' && isBase64(webhook)) throw new WebhookVerificationError(failure, encodedBody);
  if (failure) throw new WebhookVerificationError(failure);
  return webhook;
}

const encodedBody = "This body is base64. Decode it first: Buffer.from(body, 'base64').";

/** API Gateway and Lambda pass a body as base64. JSON begins with a brace, which base64 never contains. */
function isBase64({ body }: Webhook): boolean {
  return /^[\w+/]+=*$/.test(textOf(body));
}

function textOf(body: Webhook['body']): string {
  return new TextDecoder().decode(body);
}

function eventIn({ body }: Webhook): Plain {
  try {
    const event = JSON.parse(textOf(body));
    if (typeof event?.event === 'string') return event;
  } catch {
    // A body that is not JSON causes the same error as JSON that is not an event.
  }
  throw new WebhookVerificationError('invalid_body');
}

async function expanded(event: Plain, { payments, transfers, refunds }: Records): Promise<Expanded> {
  const { reference } = Object(event.data) as { reference: string };
  switch (event.event) {
    case 'checkout.success':
    case 'checkout.failed':
    case 'checkout.expired':
      return { ...event, payment: await payments.get(reference) };
    case 'refund.success':
    case 'refund.failed':
      return { ...event, refund: await refunds.get(reference) };
    case 'transfer.success':
    case 'transfer.failed':
      return { ...event, transfer: await transfers.get(reference) };
  }
  // A test event or an unknown event has no record to read. The compiler reports a known event that is missing here.
  return event;
}
