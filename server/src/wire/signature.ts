/**
 * Computes the two signatures of a delivery. The interface requires `X-Service-Signature`, which does not protect
 * against replay attacks and does not allow secrets to be rotated. So a delivery also has `webhook-signature`, which
 * the Standard Webhooks specification defines. The SDK's verifier shares no code with this file on purpose: both
 * implementations must agree with the same test vectors.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

interface Signed {
  /** The event's id, which is also sent in the header `webhook-id`. */
  id: string;
  /** The time of the attempt, in Unix seconds. */
  timestamp: number;
  body: Buffer;
}

/** The keys of one secret for the two signatures. They are cached, because creating them takes longer than signing. */
export interface SigningKey {
  /** A key made of the UTF-8 bytes of the whole secret, with its prefix. */
  whole: KeyObject;
  /** A key made of the base64 text after the prefix, decoded. */
  decoded: KeyObject;
}

export function readSigningKey(secret: string): SigningKey {
  return {
    whole: createSecretKey(secret, 'utf8'),
    decoded: createSecretKey(secret.slice(prefix.length), 'base64'),
  };
}

/** Computes `X-Service-Signature`: the hex HMAC-SHA256 of the body, keyed with the whole secret. */
export function serviceSignature(body: Buffer, { whole }: SigningKey): string {
  return createHmac('sha256', whole).update(body).digest('hex');
}

/** Computes `webhook-signature`: the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret. */
export function standardSignature({ id, timestamp, body }: Signed, { decoded }: SigningKey): string {
  return `v1,${createHmac('sha256', decoded).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
