import { type Bytes, readSecret, type SecretKeys, utf8 } from './webhook-signature.ts';

export const emptyBody =
  'This body is empty. express.raw() skips other types: pass it as received, with Express from express.raw({ type: "*/*" }).';

const parsedBody =
  'This body is parsed, and the signature covers the raw bytes: pass it as received, with Express from express.raw({ type: "*/*" }).';

/** The body of the request exactly as received, before any parsing. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers in the form in which a framework gives them. Names may have any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  // `Headers` of TypeScript's library `dom` without `dom.iterable`.
  | { get(name: string): string | null; forEach(callback: (value: string, name: string) => void): void }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The secret of an endpoint, or both secrets during a rotation. */
export type Secrets = string | readonly string[];

/** How strictly a webhook is verified. */
export interface VerifyOptions {
  /** The maximum difference in seconds between the signed timestamp and now, in both directions. 300 when omitted. */
  toleranceSeconds?: number;
  /**
   * Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` are required. True when omitted: a Tillhook
   * server sends them with every webhook, and they sign the time. False is for a receiver that sees only the four
   * `X-Service-*` headers, for example behind a gateway that drops the others. Then `X-Service-Signature` alone is
   * checked if `webhook-signature` is missing. It signs no time and no id, so an attacker who has an old webhook can
   * send it again and it is accepted. Such a receiver must remember which events it has handled.
   */
  requireTimestamp?: boolean;
}

/** A webhook as it was received, and the secrets to verify it with. */
export type Arrival<Options extends VerifyOptions> =
  | [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options?: Options]
  | [request: Request, secrets: Secrets, options?: Options];

export interface Webhook<Options extends VerifyOptions = VerifyOptions> {
  body: Bytes;
  header: (name: string) => string | undefined;
  secrets: SecretKeys[];
  options: Options | undefined;
}

export async function readArrival<Options extends VerifyOptions>(arrival: Arrival<Options>): Promise<Webhook<Options>> {
  // A received body is copied before any await, so that no other code can change it.
  const isRequest = typeof (arrival[0] as Partial<Request> | null)?.arrayBuffer === 'function';
  const [rawBody, headers, secret, options] = isRequest
    ? await partsOf(arrival as ArrivedRequest<Options>)
    : (arrival as ArrivedBody<Options>);
  // The body is checked first, because a caller who mixes up the arguments passes an invalid secret too.
  const body = readBody(rawBody);
  const secrets = [secret].flat().map(readSecret);
  if (!secrets.length) throw new TypeError('There is no secret to verify with.');
  return { body, header: readHeaders(headers), secrets, options };
}

type ArrivedRequest<Options> = [request: Request, secrets: Secrets, options?: Options];
type ArrivedBody<Options> = [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options?: Options];

async function partsOf<Options>([request, ...others]: ArrivedRequest<Options>): Promise<ArrivedBody<Options>> {
  if (request.bodyUsed) {
    throw new TypeError('The body was read already: verify it first.');
  }
  return [await request.arrayBuffer(), request.headers, ...others];
}

/**
 * Copies the body, so that the parsed bytes are the verified ones, even if other code changes the buffer in the
 * meantime.
 */
export function readBody(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody);
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer as ArrayBuffer, rawBody.byteOffset, rawBody.byteLength).slice();
  }
  // Recognised by its name, because in a test runner the ArrayBuffer may come from another realm.
  if (rawBody?.[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(rawBody).slice();
  // For a body that `express.raw()` skips, Express 5 gives undefined, and Express 4 an empty object.
  const given: object = rawBody ?? {};
  throw new TypeError(given.constructor === Object && !Object.keys(given).length ? emptyBody : parsedBody);
}

function readHeaders(headers: WebhookHeaders): Webhook['header'] {
  if (Object(headers) !== headers) throw new TypeError('The headers are missing.');
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return (name) => {
    const value = entries.find(([given]) => given.toLowerCase() === name)?.[1];
    return value && [value].flat().join(', ');
  };
}
