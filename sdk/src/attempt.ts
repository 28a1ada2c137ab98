/** Makes one attempt of a call; `transport.ts` handles retries. */
import type { ClientSettings } from './client-options.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  type ErrorFields,
  errorFromBody,
  foreignAnswer,
  type TillhookError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
import { retryAfterOf } from './retry-policy.ts';
import type { Route } from './route.ts';

export interface Attempt {
  operationId: string;
  route: Route;
  parameters: { path: Record<string, unknown>; query?: Record<string, unknown> | undefined };
  /** The body as JSON. */
  body: string | undefined;
  headers: Record<string, string>;
  /** True when the response is a CSV file, whose body is not read in this file. */
  isForCsv: boolean;
  /** True when the caller also wants the HTTP response, with an unread body. */
  isForResponse: boolean;
  /** `option` is the name of the option that sets the time limit of the attempt, and `givenMs` is its value. */
  limit: { ms: number; option: string; givenMs: number };
  signal: AbortSignal | undefined;
  sent: { idempotencyKey: string | null; attempts: number };
}

export interface Outcome {
  response?: Response | undefined;
  /** A copy of the HTTP response with an unread body, if the caller asked for the copy. */
  unread?: Response | undefined;
  data?: object;
  /** The error in a response of the API. */
  failure?: TillhookError;
  /** The error when the API sent no response. */
  lost?: TillhookError;
}

export type MakeAttempt = (attempt: Attempt) => Promise<Outcome>;

export function attemptsOver({ baseUrl, fetch, credentials }: ClientSettings): MakeAttempt {
  return async (attempt) => {
    const { route, parameters, headers, body } = attempt;
    // An error in this line is the caller's mistake, so it is thrown unchanged.
    const url = baseUrl + safePath(route.path, parameters.path) + searchOf(parameters.query);
    const method = route.method.toUpperCase();
    const limit = limitOf(attempt);
    let response: Response | undefined;
    const send = async () => {
      // The options are a plain object, because a custom `fetch` may reject a `Request` of another implementation.
      const init = { method, headers, body, signal: limit.signal, redirect: 'manual', credentials } as RequestInit;
      response = await fetch(url, init);
      refuseRedirect(response, attempt);
      const unread = attempt.isForResponse ? response.clone() : undefined;
      return outcomeOf({ response, unread, content: await contentOf(response, attempt) }, attempt);
    };
    try {
      // Without the race, a custom `fetch` that ignores its signal could keep the call waiting for ever.
      return await Promise.race([send(), limit.ended]);
    } catch (cause) {
      return { response, lost: errorOf(cause, { attempt, response }) };
    } finally {
      limit.end();
    }
  };
}

/** `AbortSignal.any` is not used, because its signals stay in memory as long as the caller's signal. */
function limitOf({ limit, signal }: Attempt): { signal: AbortSignal; ended: Promise<never>; end: () => void } {
  const controller = new AbortController();
  let rejectEnded: (reason: unknown) => void;
  const ended = new Promise<never>((_, reject) => {
    rejectEnded = reject;
  });
  const abort = (reason: unknown) => {
    controller.abort(reason);
    rejectEnded(reason);
  };
  const abortWithCaller = () => abort(signal?.reason);
  const timer = setTimeout(() => abort(timeUp), Math.ceil(limit.ms));
  if (signal?.aborted) abortWithCaller();
  signal?.addEventListener('abort', abortWithCaller);
  // Without this handler, a rejection of `ended` after the race would be an unhandled rejection.
  ended.catch(() => {});
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abortWithCaller);
  };
  return { signal: controller.signal, ended, end };
}

const timeUp = new Error('The attempt timed out.');

/** Following a redirect would send the API key to another URL. */
function refuseRedirect({ status, type, headers, body }: Response, { sent }: Attempt): void {
  // In a browser, `fetch` hides the status code of a redirect.
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;
  body?.cancel().catch(() => {});
  const target = headers.get('location');
  throw new ApiError(
    `The server answered with a redirect${target ? ` to ${target}` : ''}. It was not followed, because the API key would be ` +
      'sent there too. Set baseUrl to the final address.',
    { status, requestId: headers.get('x-request-id'), sent },
  );
}

/** Undefined for an empty body, and for a failure whose body is not JSON. */
async function contentOf(response: Response, { isForCsv }: Attempt): Promise<unknown> {
  if (isForCsv && response.ok) return response.headers.get('content-length') === '0' ? undefined : response.body;
  const content = await response.text();
  if (!content) return undefined;
  try {
    return JSON.parse(content);
  } catch (error) {
    if (response.ok) throw error;
  }
}

interface Received {
  response: Response;
  unread: Response | undefined;
  content: unknown;
}

function outcomeOf({ response, unread, content }: Received, { sent, isForCsv }: Attempt): Outcome {
  const { status, headers } = response;
  if (status === 304) return { response, unread };
  const isExpected = !isForCsv || headers.get('content-type')?.startsWith('text/csv');
  // Every successful response of this API is an object or a CSV file. The CSV file is returned as a stream of bytes.
  if (response.ok && isExpected && typeof content === 'object' && content !== null && !Array.isArray(content))
    return { response, unread, data: content };
  const fields = { status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterOf(headers), sent };
  const failure = response.ok ? null : errorFromBody(content, fields);
  // Node keeps the connection open until the body is read or cancelled.
  if (response.ok && isForCsv) response.body?.cancel().catch(() => {});
  return failure ? { response, unread, failure } : { response, lost: foreignAnswer(response, fields) };
}

interface Failed {
  attempt: Attempt;
  response: Response | undefined;
}

function errorOf(cause: unknown, { attempt, response }: Failed): TillhookError {
  const { operationId, limit, signal, sent } = attempt;
  const fields: ErrorFields = { sent, requestId: response?.headers.get('x-request-id') ?? null, cause };
  if (cause instanceof ApiError) return cause;
  if (signal?.aborted) return new AbortedError(`${operationId} was aborted.`, { ...fields, cause: signal.reason });
  if (cause === timeUp) {
    const message = `${operationId} took over ${limit.givenMs} ms. Raise ${limit.option} if that is too short.`;
    return new TimeoutError(message, fields);
  }
  if (cause instanceof SyntaxError && response) {
    // A 2xx response that is not JSON came from another program, such as a proxy.
    if (!/json/i.test(response.headers.get('content-type') ?? '')) return foreignAnswer(response, fields);
    return new ConnectionError(`${operationId} got JSON that is incomplete or invalid.`, fields);
  }
  // Node's `fetch` only reports "fetch failed"; the cause of the error has the reason.
  const reason: { code?: unknown; message?: string } = Object((cause as Error)?.cause ?? cause);
  const said = typeof reason.code === 'string' ? reason.code : (reason.message ?? String(cause));
  return new ConnectionError(`${operationId} got no complete answer: ${said}.`, fields);
}

/** A slash is encoded. `.` and `..` are rejected, because a URL parser treats even `%2e%2e` as `..`. */
function safePath(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name]));
}

function segment(name: string, value: unknown): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value) && value.isWellFormed()) {
    return encodeURIComponent(value);
  }
  throw new ValidationError(
    `${name} must be a string that can be a path segment, and is ${typeof value === 'string' ? `"${value}"` : typeof value}.`,
    {
      code: 'invalid_parameter',
      param: name,
    },
  );
}

/** A list repeats its name for each value. */
function searchOf(query: Record<string, unknown> | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encodeURIComponent(one)}`),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}
