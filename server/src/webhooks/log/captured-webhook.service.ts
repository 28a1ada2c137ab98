/**
 * Checks a webhook that was captured at a receiver against the stored secrets of its endpoint. Only the server can
 * say more than the SDK: it knows every secret of the endpoint, those of the merchant's other endpoints, and the exact
 * body that it sent. So it compares with these, and guesses nothing. No secret leaves this file.
 * See docs/decisions/process.md, "A captured webhook is compared with what was sent".
 */
import type { Context } from '../../context.ts';
import { isId } from '../../kit/ids.ts';
import { deliveryBody } from '../../wire/event-body.ts';
import { readSigningKey, type SigningKey, serviceSignature, standardSignature } from '../../wire/signature.ts';
import { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { getEndpointOfAnyMerchant } from '../endpoints/webhooks.service.ts';
import { Event } from '../queue/delivery.entity.ts';

export interface Capture {
  /** The headers, by their names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** When it was received. */
  at: Date;
}

export type SecretName = 'current' | 'staged' | 'replaced';

export interface CaptureCheck {
  endpoint: WebhookEndpoint;
  /** The codes of the SDK's verifier. Null when a receiver accepts the webhook. */
  cause: 'empty_body' | 'missing_headers' | 'wrong_signature' | 'timestamp_out_of_tolerance' | null;
  /** Which secret of the endpoint made each signature; null for none of them. */
  signedBy: { standard: SecretName | null; service: SecretName | null };
  missingHeaders: string[];
  /** When it was signed, in Unix seconds; null if the header has no number. */
  signedAt: number | null;
  /** Another endpoint of the merchant with whose secret it was signed. */
  otherEndpoint: WebhookEndpoint | null;
  /** How the body differs from the one that was sent; null when the event is unknown or was removed. */
  comparison: BodyComparison | null;
}

export interface BodyComparison {
  isSame: boolean;
  /** Whether both bodies are the same JSON, written in another way. */
  isSameJson: boolean;
  /** The first byte that differs, counted from 0. */
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
  const facts = { endpoint, signedBy, missingHeaders, signedAt, otherEndpoint: null, comparison: null };
  if (missingHeaders.length > 0) return { ...facts, cause: 'missing_headers' };
  if (signedBy.standard) return { ...facts, cause: isRecent ? null : 'timestamp_out_of_tolerance' };
  return {
    ...facts,
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

/** Both modes count, because a test endpoint and a live one are often mixed up. */
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

/** The JSON without its spaces and with sorted names; the text itself if it is no JSON. */
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
