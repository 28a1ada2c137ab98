/**
 * How a delivery proves where it comes from. Two headers, because the fixed one has no protection against replay and no
 * rotation, and the Standard Webhooks specification may run beside an older scheme. The SDK's verifier shares no code with
 * this file on purpose: both are held to one test vector.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

interface Signed {
  /** The event's id, which the header `webhook-id` carries. */
  id: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  body: Buffer;
}

/** A secret as the two schemes take it. Made once and kept, because making it costs more than signing with it. */
export interface SigningKey {
  /** The whole secret, prefix included, as UTF-8. */
  whole: KeyObject;
  /** The bytes that the text after the prefix stands for. */
  decoded: KeyObject;
}

export function readSigningKey(secret: string): SigningKey {
  return {
    whole: createSecretKey(secret, 'utf8'),
    decoded: createSecretKey(secret.slice(prefix.length), 'base64'),
  };
}

/** `X-Service-Signature`: hex HMAC-SHA256 of the body, keyed with the whole secret. */
export function serviceSignature(body: Buffer, { whole }: SigningKey): string {
  return createHmac('sha256', whole).update(body).digest('hex');
}

/** `webhook-signature`: base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded bytes. */
export function standardSignature({ id, timestamp, body }: Signed, { decoded }: SigningKey): string {
  return `v1,${createHmac('sha256', decoded).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
