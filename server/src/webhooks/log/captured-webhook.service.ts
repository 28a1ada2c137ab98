/**
 * The server finds more causes of a refused webhook than the SDK, because it knows all secrets of the merchant and the
 * body that was sent. No function of this file returns a secret.
 * See docs/decisions/process.md, "A captured webhook is compared with what was sent".
 */
import type { Context } from '../../context.ts';
import { isId } from '../../kit/ids.ts';
import { deliveryBody } from '../../wire/event-body.ts';
import { readSigningKey, type SigningKey, serviceSignature, standardSignature } from '../../wire/signature.ts';
import { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { getEndpointOfAnyMerchant } from '../endpoints/endpoints.service.ts';
import { Event } from '../queue/event.entity.ts';

export interface Capture {
  /** The header values, by lower-case name. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** The time when the receiver got the webhook. */
  at: Date;
}

export type SecretName = 'current' | 'staged' | 'replaced';

export interface CaptureCheck {
  endpoint: WebhookEndpoint;
  /** The error code of the SDK's verifier; null if the verifier would accept the webhook. */
  cause: 'empty_body' | 'missing_headers' | 'wrong_signature' | 'timestamp_out_of_tolerance' | null;
  signedBy: { standard: SecretName | null; service: SecretName | null };
  missingHeaders: string[];
  /** `webhook-timestamp` in Unix seconds; null if the value is not a number. */
  signedAt: number | null;
  otherEndpoint: WebhookEndpoint | null;
  /** There is no comparison if the event is unknown or was purged. */
  comparison: BodyComparison | null;
}

export interface BodyComparison {
  isSame: boolean;
  isSameJson: boolean;
  firstDifference: number;
  sentBytes: number;
  capturedBytes: number;
}

const toleranceSeconds = 300;
const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export async function checkCapture(context: Context, endpointId: string, capture: Capture): Promise<CaptureCheck> {
  const { headers, body } = capture;
  const endpoint = await getEndpointOfAnyMerchant(context, endpointId);
  const signedBy = signersOf(capture, secretsOf(context, endpoint));
  const missingHeaders = signedHeaders.filter((name) => !headers.get(name));
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const signedAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null;
  const isRecent = signedAt !== null && Math.abs(capture.at.getTime() / 1000 - signedAt) <= toleranceSeconds;
  const check = { endpoint, signedBy, missingHeaders, signedAt, otherEndpoint: null, comparison: null };
  if (missingHeaders.length > 0) return { ...check, cause: 'missing_headers' };
  if (signedBy.standard) return { ...check, cause: isRecent ? null : 'timestamp_out_of_tolerance' };
  return {
    ...check,
    cause: body.length === 0 ? 'empty_body' : 'wrong_signature',
    otherEndpoint: await findOtherSigner(context, endpoint, capture),
    comparison: await compareWithSent(context, endpoint, capture),
  };
}

type NamedKey = readonly [name: SecretName, key: SigningKey];

function secretsOf({ sealer }: Context, { id, sealedSecret, secretRotation }: WebhookEndpoint): NamedKey[] {
  const sealed = [
    ['current', sealedSecret],
    ['staged', secretRotation?.next?.sealed],
    ['replaced', secretRotation?.previous?.sealed],
  ] as const;
  return sealed.flatMap(([name, text]) => (text ? [[name, readSigningKey(sealer.open(text, id))] as const] : []));
}

function signersOf({ headers, body }: Capture, keys: readonly NamedKey[]): CaptureCheck['signedBy'] {
  const [id = '', timestamp = '', list = ''] = signedHeaders.map((name) => headers.get(name));
  const given = list.split(' ');
  const service = headers.get('x-service-signature')?.toLowerCase();
  const message = { id, timestamp: Number(timestamp), body };
  const standard = keys.find(([, key]) => given.includes(standardSignature(message, key)));
  const plain = keys.find(([, key]) => service === serviceSignature(body, key));
  return { standard: standard?.[0] ?? null, service: plain?.[0] ?? null };
}

/** Searches the endpoints of both modes, because test and live endpoints are often mixed up. */
async function findOtherSigner(
  context: Context,
  { id, merchantId }: WebhookEndpoint,
  capture: Capture,
): Promise<WebhookEndpoint | null> {
  const others = await context.em.find(
    WebhookEndpoint,
    { merchantId, id: { $ne: id } },
    { disableIdentityMap: true, orderBy: { id: 'desc' } },
  );
  return others.find((other) => signersOf(capture, secretsOf(context, other)).standard !== null) ?? null;
}

async function compareWithSent(
  { em }: Context,
  { id, merchantId, mode }: WebhookEndpoint,
  { headers, body }: Capture,
): Promise<BodyComparison | null> {
  const eventId = headers.get('webhook-id') ?? '';
  const event = isId(eventId) ? await em.findOne(Event, { id: eventId, merchantId, mode }) : null;
  if (!event) return null;
  const sent = Buffer.from(deliveryBody(event.body, id));
  const differing = sent.findIndex((byte, at) => byte !== body[at]);
  return {
    isSame: sent.equals(body),
    isSameJson: canonical(sent) === canonical(body),
    firstDifference: differing === -1 ? sent.length : differing,
    sentBytes: sent.length,
    capturedBytes: body.length,
  };
}

function canonical(body: Buffer): string {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}
