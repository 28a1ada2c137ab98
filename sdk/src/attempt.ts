/**
 * One attempt of a call. Only this file uses openapi-fetch, which builds the request and reads the answer. Time-outs
 * and redirects are handled here, retries in `transport.ts`.
 */
import createClient from 'openapi-fetch';
import type { ClientSettings } from './client-options.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  type ErrorFacts,
  errorFromBody,
  foreignAnswer,
  type TillhookError,
  TimeoutError,
} from './errors.ts';
import { retryAfterOf } from './retry-policy.ts';
import type { Method } from './route.ts';
import { safePath } from './safe-path.ts';

export interface Attempt {
  operationId: string;
  method: Method;
  path: string;
  parameters: { path: Record<string, unknown>; query?: Record<string, unknown> | undefined };
  body: unknown;
  headers: Record<string, string>;
  /** Whether the answer is a CSV file, which is not read here. */
  isForCsv: boolean;
  /** Whether the caller wants the HTTP response too, with a body that nothing has read. */
  isForResponse: boolean;
  /** The time limit of the attempt, the option that sets it, and the value of that option, all in milliseconds. */
  limit: { ms: number; option: string; givenMs: number };
  signal: AbortSignal | undefined;
  sent: { idempotencyKey: string | null; attempts: number };
}

/** An answer of this API, or the reason why there is none. */
export interface Outcome {
  /** The HTTP response, if one came. */
  response?: Response | undefined;
  /** Its copy with an unread body, where the caller wants it. */
  unread?: Response | undefined;
  data?: object;
  /** An error that the API answered. */
  failure?: TillhookError;
  /** The error if no answer of this API came. */
  lost?: TillhookError;
}

export type MakeAttempt = (attempt: Attempt) => Promise<Outcome>;

export function attemptsOver({ baseUrl, fetch, credentials }: ClientSettings): MakeAttempt {
  // The types in `operations.ts` check requests. The types of openapi-fetch cannot, because the operation id is generic
  // here.
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
      // A custom `fetch` may ignore its signal.
      const outcome = outcomeOf(await Promise.race([answered, limit.ended]), attempt);
      return { ...outcome, unread: progress.unread };
    } catch (cause) {
      // An error before the request was sent is a mistake of the caller.
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

/**
 * What openapi-fetch creates in place of a `Request`. Any `fetch` accepts an address and plain options, but a custom
 * one may refuse Node's `Request`. And reading the parts of a `Request` again would take as long as the call.
 */
class Draft {
  readonly url: string;
  readonly init: RequestInit;

  constructor(url: string, { method, headers, body }: RequestInit) {
    this.url = url;
    this.init = { method, headers, body };
  }
}

/** Without `AbortSignal.any`, because its signals would stay in memory as long as the caller's signal. */
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
  // `Promise.race` handles this rejection. After the race it must not count as unhandled.
  ended.catch(() => {});
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abortWithCaller);
  };
  return { signal: controller.signal, ended, end };
}

const timeUp = new Error('Time is up.');

/** A redirect is an error, because following it would send the API key to the address that the answer names. */
function refuseRedirect({ status, type, headers, body }: Response, { sent }: Attempt): void {
  // A browser-like fetch hides the status of a redirect.
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
  // Every success of this API is an object, or a CSV file, whose bytes are read as a stream.
  if (response.ok && isExpected && typeof data === 'object' && data !== null && !Array.isArray(data))
    return { response, data };
  const facts = { status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterOf(headers), sent };
  const failure = response.ok ? null : errorFromBody(error, facts);
  // The body of a success of another type was not read, and would keep its connection.
  if (response.ok && isForCsv) response.body?.cancel().catch(() => {});
  return failure ? { response, failure } : { response, lost: foreignAnswer(response, facts) };
}

function errorOf(cause: unknown, { attempt, progress }: { attempt: Attempt; progress: Progress }): TillhookError {
  const { operationId, limit, signal, sent } = attempt;
  const { response } = progress;
  const facts: ErrorFacts = { sent, requestId: response?.headers.get('x-request-id') ?? null, cause };
  if (cause instanceof ApiError) return cause;
  if (signal?.aborted) return new AbortedError(`${operationId} was aborted.`, { ...facts, cause: signal.reason });
  if (cause === timeUp) {
    const message = `${operationId} took over ${limit.givenMs} ms. Raise ${limit.option} if that is too short.`;
    return new TimeoutError(message, facts);
  }
  if (cause instanceof SyntaxError && response) {
    // A 2xx answer that is not JSON came from another program, such as a proxy.
    if (!/json/i.test(response.headers.get('content-type') ?? '')) return foreignAnswer(response, facts);
    return new ConnectionError(`${operationId} got JSON that is incomplete or invalid.`, facts);
  }
  // The message of Node's fetch is only "fetch failed". Its cause has the reason.
  const reason: { code?: unknown; message?: string } = Object((cause as Error)?.cause ?? cause);
  const said = typeof reason.code === 'string' ? reason.code : (reason.message ?? String(cause));
  return new ConnectionError(`${operationId} got no complete answer: ${said}.`, facts);
}
