/**
 * The two signatures with which a delivery proves its origin. `X-Service-Signature` is required by the interface, but
 * it protects against no replay and allows no rotation of secrets. So `webhook-signature` of the Standard Webhooks
 * specification is sent beside it. The SDK's verifier shares no code with this file on purpose: both have to agree with
 * one test vector.
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

/**
 * A secret in the forms that the two schemes need. It is made once and kept, because making it takes longer than
 * signing.
 */
export interface SigningKey {
  /** The whole secret, prefix included, as UTF-8. */
  whole: KeyObject;
  /** The bytes that the text after the prefix encodes in base64. */
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
