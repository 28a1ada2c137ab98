/** Makes one attempt of a call with openapi-fetch; `transport.ts` handles retries. */
import createClient from 'openapi-fetch';
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
import type { Method } from './route.ts';

export interface Attempt {
  operationId: string;
  method: Method;
  path: string;
  parameters: { path: Record<string, unknown>; query?: Record<string, unknown> | undefined };
  body: unknown;
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
  // The types in `operations.ts` check requests; openapi-fetch cannot, because the operationId is generic here.
  const client = createClient({ baseUrl, pathSerializer: safePath, Request: Draft as unknown as typeof Request });
  const request = client.request as unknown as LooseRequest;
  return async (attempt) => {
    const limit = limitOf(attempt);
    const progress: Progress = { isSent: false };
    const send = async ({ url, init }: Draft) => {
      progress.isSent = true;
      progress.response = await fetch(url, { ...init, signal: limit.signal, redirect: 'manual', credentials });
      refuseRedirect(progress.response, attempt);
      if (attempt.isForResponse) progress.unread = progress.response.clone();
      return progress.response;
    };
    try {
      const { method, path, parameters: params, body, headers, isForCsv } = attempt;
      const parseAs = isForCsv ? 'stream' : undefined;
      const answered = request(method, path, { params, body, headers, parseAs, fetch: send });
      // Without the race, a custom `fetch` that ignores its signal could keep the call waiting for ever.
      const outcome = outcomeOf(await Promise.race([answered, limit.ended]), attempt);
      return { ...outcome, unread: progress.unread };
    } catch (cause) {
      // An error before the request was sent is the caller's mistake, so it is thrown unchanged.
      if (!progress.isSent) throw cause;
      return { response: progress.response, lost: errorOf(cause, { attempt, progress }) };
    } finally {
      limit.end();
    }
  };
}

type LooseRequest = (method: Method, path: string, init: object) => Promise<Answer>;

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

interface Progress {
  isSent: boolean;
  response?: Response;
  unread?: Response;
}

/** Replaces Node's `Request`: a custom `fetch` may reject it, and reading its properties would double a call's time. */
class Draft {
  readonly url: string;
  readonly init: RequestInit;

  constructor(url: string, { method, headers, body }: RequestInit) {
    this.url = url;
    this.init = { method, headers, body };
  }
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

function outcomeOf({ data, error, response }: Answer, { sent, isForCsv }: Attempt): Outcome {
  const { status, headers } = response;
  if (status === 304) return { response };
  const isExpected = !isForCsv || headers.get('content-type')?.startsWith('text/csv');
  // Every successful response of this API is an object or a CSV file. The CSV file is returned as a stream of bytes.
  if (response.ok && isExpected && typeof data === 'object' && data !== null && !Array.isArray(data))
    return { response, data };
  const fields = { status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterOf(headers), sent };
  const failure = response.ok ? null : errorFromBody(error, fields);
  // Node keeps the connection open until the body is read or cancelled.
  if (response.ok && isForCsv) response.body?.cancel().catch(() => {});
  return failure ? { response, failure } : { response, lost: foreignAnswer(response, fields) };
}

function errorOf(cause: unknown, { attempt, progress }: { attempt: Attempt; progress: Progress }): TillhookError {
  const { operationId, limit, signal, sent } = attempt;
  const { response } = progress;
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
