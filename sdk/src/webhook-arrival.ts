import { type Bytes, readSecret, type SecretKeys, utf8 } from './webhook-signature.ts';

export const emptyBody =
  'This body is empty. express.raw() skips other types: pass it as received, with Express from express.raw({ type: "*/*" }).';

const parsedBody =
  'This body is parsed, and the signature covers the raw bytes: pass it as received, with Express from express.raw({ type: "*/*" }).';

/** The request body exactly as received, before any parsing. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers as any framework represents them. Their names may have any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  // The type `Headers` of TypeScript's library `dom` without `dom.iterable`.
  | { get(name: string): string | null; forEach(callback: (value: string, name: string) => void): void }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The secret of an endpoint, or both secrets during a secret rotation. */
export type Secrets = string | readonly string[];

/** How strictly a webhook is verified. */
export interface VerifyOptions {
  /**
   * The maximum difference in seconds between the signed timestamp and the current time, in both directions. 300 when
   * omitted.
   */
  toleranceSeconds?: number;
  /**
   * Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` are required. True when omitted: a Tillhook
   * server sends these headers with every webhook, and the signature covers the timestamp.
   * Use false only for a receiver that gets no headers except the four `X-Service-*` headers, for example behind a
   * gateway that drops the other headers. If `webhook-signature` is missing, only `X-Service-Signature` is then
   * checked. That signature covers neither a timestamp nor an id, so an attacker who has an old webhook can send it
   * again, and the receiver accepts it. Such a receiver must remember which events it has handled.
   */
  requireTimestamp?: boolean;
}

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
  // The received body is copied before any `await`, so that no other code can change it.
  const isRequest = typeof (arrival[0] as Partial<Request> | null)?.arrayBuffer === 'function';
  const [rawBody, headers, secret, options] = isRequest
    ? await partsOf(arrival as ArrivedRequest<Options>)
    : (arrival as ArrivedBody<Options>);
  // Reads the body first: if the caller confused the arguments, the body's error is clearer than the secret's error.
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

/** The copy makes sure that the parsed bytes are the verified bytes, even if other code changes the buffer. */
export function readBody(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody);
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer as ArrayBuffer, rawBody.byteOffset, rawBody.byteLength).slice();
  }
  // An ArrayBuffer is recognised by its name, because in a test runner it may come from another realm.
  if (rawBody?.[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(rawBody).slice();
  // When `express.raw()` skips a body, Express 5 passes undefined, and Express 4 passes an empty object.
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
