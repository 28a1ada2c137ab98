/**
 * How a delivery proves where it comes from. Two headers, because the fixed one has no protection against replay and no
 * rotation, and the Standard Webhooks specification may run beside an older scheme. The SDK's verifier shares no code with
 * this file on purpose: both are held to one test vector.
 */
import { createHmac, createSecretKey } from 'node:crypto';

const prefix = 'whsec_';

interface Signed {
  /** The event's id, which the header `webhook-id` carries. */
  id: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  body: Buffer;
}

/** `X-Service-Signature`: hex HMAC-SHA256 of the body, keyed with the whole secret, prefix included, as UTF-8. */
export function serviceSignature(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** `webhook-signature`: base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the bytes that follow the prefix. */
export function standardSignature({ id, timestamp, body }: Signed, secret: string): string {
  // Node checks a key in a Buffer anew each time, at several times the cost of the signature itself.
  const key = createSecretKey(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
