/**
 * `X-Service-Signature`, which the interface requires, allows replay attacks and no rotation of secrets, so a delivery
 * also has `webhook-signature` of the Standard Webhooks specification. The SDK's verifier shares no code with this file
 * on purpose: both implementations must agree with the same test vectors.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

interface Signed {
  id: string;
  /** The time of the attempt, in Unix seconds. */
  timestamp: number;
  body: Buffer;
}

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

export function serviceSignature(body: Buffer, { whole }: SigningKey): string {
  return createHmac('sha256', whole).update(body).digest('hex');
}

export function standardSignature({ id, timestamp, body }: Signed, { decoded }: SigningKey): string {
  return `v1,${createHmac('sha256', decoded).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
