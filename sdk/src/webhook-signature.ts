/** Shares no code with the server: if client and server pass the same test vectors, both are probably right. */
export type Bytes = Uint8Array<ArrayBuffer>;

export interface SecretKeys {
  /** The key for `X-Service-Signature`: the whole string, with its prefix. */
  whole: Promise<CryptoKey>;
  /** The key for `webhook-signature`: the decoded base64 after the prefix. */
  decoded: Promise<CryptoKey>;
}

type CryptoKey = Parameters<typeof crypto.subtle.verify>[1];

export interface StandardMessage {
  id: string;
  timestamp: string;
  body: Bytes;
}

const encoder = new TextEncoder();
// The keys are cached, because importing a key takes as long as verifying a signature.
const known: [secret: unknown, keys: SecretKeys][] = [];

export function readSecret(secret: unknown): SecretKeys {
  const kept = known.find(([given]) => given === secret)?.[1];
  if (kept) return kept;
  const decoded = fromBase64(/^whsec_(.+)/.exec(secret as string)?.[1] ?? '');
  if (!decoded.length) {
    throw new TypeError('A webhook secret is whsec_ and base64; lists show it masked.');
  }
  const keys = { whole: hmacKey(utf8(secret as string)), decoded: hmacKey(decoded) };
  // The cache holds the keys of a hundred secrets, for programs that verify webhooks of many endpoints.
  if (known.push([secret, keys]) > 100) known.shift();
  return keys;
}

/** Makes the value of `X-Service-Signature`: the hex HMAC of the raw body. */
export async function serviceSignature({ whole }: SecretKeys, body: Bytes): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await whole, body);
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function isServiceSignature(signature: string, { whole }: SecretKeys, body: Bytes): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const bytes = Uint8Array.from(signature.match(/../g) as string[], (pair) => Number(`0x${pair}`));
  return crypto.subtle.verify('HMAC', await whole, bytes, body);
}

/** Makes the value of `webhook-signature`: `v1,` and the base64 HMAC of `id.timestamp.body`. */
export async function standardSignature({ decoded }: SecretKeys, message: StandardMessage): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await decoded, bytesOf(message));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Ignores signatures of other versions than `v1`. */
export async function isStandardSignature(
  list: string,
  { decoded }: SecretKeys,
  message: StandardMessage,
): Promise<boolean> {
  const [key, content] = [await decoded, bytesOf(message)];
  // During a secret rotation, the list has two or three signatures; a longer list would only cost computing time.
  for (const entry of list.split(' ', 9)) {
    // `verify` compares in constant time; `===` does not.
    if (entry.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, fromBase64(entry.slice(3)), content))) {
      return true;
    }
  }
  return false;
}

function hmacKey(key: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf({ id, timestamp, body }: StandardMessage): Bytes {
  const head = utf8(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Returns no bytes if the text is not base64. */
function fromBase64(text: string): Bytes {
  try {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    // `Uint8Array.from` with a mapping function takes ten times as long.
    for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
    return bytes;
  } catch {
    return utf8('');
  }
}
