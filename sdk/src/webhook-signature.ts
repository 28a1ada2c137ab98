/**
 * The two signatures of a webhook, from the wire format alone: this file shares no line with the
 * server's signer, so that the test vectors on which both agree are evidence.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The two keys that one secret stands for. */
export interface SecretKeys {
  /** The whole string, prefix included, for `X-Service-Signature`. */
  whole: Bytes;
  /** What the base64 after the prefix encodes, for `webhook-signature`. */
  decoded: Bytes;
}

/** What `webhook-signature` covers. */
export interface StandardMessage {
  id: string;
  timestamp: string;
  body: Bytes;
}

const prefix = 'whsec_';

export function readSecret(secret: unknown): SecretKeys {
  const encoded = typeof secret === 'string' && secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const decoded = fromBase64(encoded);
  if (decoded?.length) return { whole: utf8(prefix + encoded), decoded };
  throw new TypeError(
    'A webhook secret is whsec_ and base64, as the registration answered it; later answers show it masked.',
  );
}

/** `X-Service-Signature`: the hex HMAC of the raw body. */
export async function serviceSignature({ whole }: SecretKeys, body: Bytes): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(whole), body);
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function isServiceSignature(signature: string, { whole }: SecretKeys, body: Bytes): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(signature.slice(2 * at, 2 * at + 2), 16));
  return crypto.subtle.verify('HMAC', await hmacKey(whole), bytes, body);
}

/** `webhook-signature`: `v1,` and the base64 HMAC of `id.timestamp.body`. */
export async function standardSignature({ decoded }: SecretKeys, message: StandardMessage): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(decoded), bytesOf(message));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Whether one of the signatures in the list is ours; those of other versions are passed over. */
export async function isStandardSignature(
  list: string,
  { decoded }: SecretKeys,
  message: StandardMessage,
): Promise<boolean> {
  const [key, content] = [await hmacKey(decoded), bytesOf(message)];
  for (const entry of list.split(' ')) {
    const bytes = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : null;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true;
  }
  return false;
}

// `crypto.subtle.verify` compares in constant time, which `===` does not.
function hmacKey(key: Bytes) {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf({ id, timestamp, body }: StandardMessage): Bytes {
  const head = utf8(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
