import { type Bytes, readSecret, type SecretKeys } from './webhook-signature.ts';

/** The request's body exactly as it came, before any parsing. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers in the shape in which a framework gives them; the case of names does not matter. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** How strictly a webhook is verified. */
export interface VerifyOptions {
  /** How far the signed timestamp may be from now, either way. 300 when omitted. */
  toleranceSeconds?: number;
}

/** A webhook as it arrived, and the secret, or the secrets of a rotation, to verify it with. */
export type Delivery =
  | [rawBody: RawBody, headers: WebhookHeaders, secret: string | readonly string[], options?: VerifyOptions]
  | [request: Request, secret: string | readonly string[], options?: VerifyOptions];

export interface ReadDelivery {
  body: Bytes;
  header: (name: string) => string | null;
  secrets: SecretKeys[];
  toleranceSeconds: number;
}

export async function readDelivery(delivery: Delivery): Promise<ReadDelivery> {
  // A body that is here already is copied before anything is awaited.
  const [rawBody, headers, secret, options] = isRequest(delivery) ? await spread(delivery) : delivery;
  const secrets = [secret].flat().map(readSecret);
  if (secrets.length === 0) throw new TypeError('There is no webhook secret to verify with.');
  return {
    body: readBody(rawBody),
    header: readHeaders(headers),
    secrets,
    toleranceSeconds: options?.toleranceSeconds ?? 300,
  };
}

type RequestDelivery = Extract<Delivery, [Request, ...unknown[]]>;

// By its methods, because a framework may bring a Request class of its own.
function isRequest(delivery: Delivery): delivery is RequestDelivery {
  return typeof (delivery[0] as Partial<Request> | null)?.arrayBuffer === 'function';
}

async function spread([request, secret, options]: RequestDelivery): Promise<Exclude<Delivery, RequestDelivery>> {
  if (request.bodyUsed) {
    throw new TypeError('The body of the request was read already; verify a webhook before anything else reads it.');
  }
  return [await request.arrayBuffer(), request.headers, secret, options];
}

/** Copies the body, so that what is parsed later is what was verified, whoever else holds the bytes. */
export function readBody(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength));
  }
  // By its name, because a test runner may bring an ArrayBuffer of another realm.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody).slice();
  throw new TypeError(
    'A webhook is verified over the raw bytes of its body, and this is a parsed one: the signature covers every ' +
      'space and the order of keys, which parsing loses. Pass the body as received, with Express from express.raw().',
  );
}

function readHeaders(headers: WebhookHeaders): (name: string) => string | null {
  if (typeof headers !== 'object' || headers === null) throw new TypeError('The headers of the webhook are missing.');
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name);
    return value === undefined ? null : [value].flat().join(', ');
  };
}
