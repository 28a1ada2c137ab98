import { type Bytes, readSecret, type SecretKeys, utf8 } from './webhook-signature.ts';

/** The request's body exactly as it came, before any parsing. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers in the shape in which a framework gives them; the case of names does not matter. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The secret of an endpoint, or both of one whose secret is being rotated. */
export type Secrets = string | readonly string[];

/** How strictly a webhook is verified. */
export interface VerifyOptions {
  /** How far the signed timestamp may be from now, either way. 300 when omitted. */
  toleranceSeconds?: number;
  /**
   * Whether `webhook-id`, `webhook-timestamp` and `webhook-signature` must be there. True when omitted: a Tillhook server
   * sends them with every webhook, and they sign the time. False is for a receiver that sees only the four `X-Service-*`
   * headers, for example behind a gateway that drops the others: where `webhook-signature` is missing, `X-Service-Signature`
   * alone decides then. It signs no time and no id, so anyone who has an old webhook can send it again, and it is accepted:
   * such a receiver has to remember what it has handled.
   */
  requireTimestamp?: boolean;
}

/** A webhook as it arrived, and what to verify it with. */
export type Arrival<Options extends VerifyOptions> =
  | [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options?: Options]
  | [request: Request, secrets: Secrets, options?: Options];

export interface Webhook<Options extends VerifyOptions = VerifyOptions> {
  body: Bytes;
  header: (name: string) => string | null;
  secrets: SecretKeys[];
  options: Options | undefined;
}

export async function readArrival<Options extends VerifyOptions>(arrival: Arrival<Options>): Promise<Webhook<Options>> {
  // A body that is here already is copied before anything is awaited.
  const [rawBody, headers, secret, options] = isRequest(arrival) ? await spread(arrival) : arrival;
  // The body is checked first: a caller who mixes up the arguments passes something else as the secret too.
  const body = readBody(rawBody);
  const secrets = [secret].flat().map(readSecret);
  if (!secrets.length) throw new TypeError('There is no secret to verify with.');
  return { body, header: readHeaders(headers), secrets, options };
}

type ArrivedRequest<Options> = [request: Request, secrets: Secrets, options?: Options];
type ArrivedBody<Options> = [rawBody: RawBody, headers: WebhookHeaders, secrets: Secrets, options?: Options];

// By its methods, because a framework may bring another class named Request.
function isRequest<Options extends VerifyOptions>(arrival: Arrival<Options>): arrival is ArrivedRequest<Options> {
  return typeof (arrival[0] as Partial<Request> | null)?.arrayBuffer === 'function';
}

async function spread<Options>(arrived: ArrivedRequest<Options>): Promise<ArrivedBody<Options>> {
  const [request, secrets, options] = arrived;
  if (request.bodyUsed) {
    throw new TypeError('The body was read already: verify it first.');
  }
  return [await request.arrayBuffer(), request.headers, secrets, options];
}

/** Copies the body, so that what is parsed later is what was verified, even if other code changes the bytes meanwhile. */
export function readBody(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody);
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer as ArrayBuffer, rawBody.byteOffset, rawBody.byteLength).slice();
  }
  // By its name, because a test runner may bring an ArrayBuffer of another realm.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody).slice();
  throw new TypeError(
    'This body is parsed, and the signature covers the raw bytes: pass it as received, with Express from express.raw().',
  );
}

function readHeaders(headers: WebhookHeaders): (name: string) => string | null {
  if (Object(headers) !== headers) throw new TypeError('The headers are missing.');
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return (name) => {
    const entry = entries.find(([given]) => given.toLowerCase() === name);
    return entry?.[1] === undefined ? null : [entry[1]].flat().join(', ');
  };
}
