/**
 * One attempt of a call. openapi-fetch is known to this file only: it builds the request and reads the answer; time-outs and
 * redirects are decided here, retries in `transport.ts`.
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
  /** How long it may take, and the option that says so. */
  limit: { ms: number; option: string; givenMs: number };
  signal: AbortSignal | undefined;
  sent: { idempotencyKey: string | null; attempts: number };
}

/** An answer of this API, or why there is none. */
export interface Outcome {
  /** As far as one came. */
  response?: Response | undefined;
  data?: object;
  /** A failure that the API told of. */
  failure?: TillhookError;
  /** No answer of this API came. */
  lost?: TillhookError;
}

export type MakeAttempt = (attempt: Attempt) => Promise<Outcome>;

export function attemptsOver({ baseUrl, fetch, credentials }: ClientSettings): MakeAttempt {
  // What a request may hold is checked where it is typed, in `operations.ts`: through a generic operation id openapi-fetch's
  // own types cannot follow.
  const client = createClient({ baseUrl, pathSerializer: safePath, Request: Draft as unknown as typeof Request });
  const request = client.request as unknown as LooseRequest;
  return async (attempt) => {
    const limit = limitOf(attempt);
    const progress: Progress = { isSent: false };
    const send = async ({ url, init }: Draft) => {
      progress.isSent = true;
      progress.response = await fetch(url, { ...init, signal: limit.signal, redirect: 'manual', credentials });
      refuseRedirect(progress.response, attempt);
      return progress.response;
    };
    try {
      const { method, path, parameters: params, body, headers } = attempt;
      const asked = request(method, path, { params, body, headers, fetch: send });
      // A fetch of somebody's own may not look at its signal.
      return outcomeOf(await Promise.race([asked, limit.ended]), attempt);
    } catch (cause) {
      // What was wrong before anything was sent is the caller's to mend.
      if (!progress.isSent) throw cause;
      return { response: progress.response, lost: lossOf(cause, { attempt, progress }) };
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
}

/**
 * What openapi-fetch builds in place of a `Request`, because any `fetch` understands an address and plain options, where a
 * foreign one refuses Node's own `Request`; and because taking one apart again costs as much as the call.
 */
class Draft {
  readonly url: string;
  readonly init: RequestInit;

  constructor(url: string, { method, headers, body }: RequestInit) {
    this.url = url;
    this.init = { method, headers, body };
  }
}

/** By hand, because signals made by `AbortSignal.any` stay with a signal that lives long. */
function limitOf({ limit, signal }: Attempt): { signal: AbortSignal; ended: Promise<never>; end: () => void } {
  const controller = new AbortController();
  let give: (reason: unknown) => void;
  const ended = new Promise<never>((_, reject) => {
    give = reject;
  });
  const abort = (reason: unknown) => {
    controller.abort(reason);
    give(reason);
  };
  const follow = () => abort(signal?.reason);
  const timer = setTimeout(() => abort(timeUp), Math.ceil(limit.ms));
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  // Code that races with it learns of the failure. After the race, the failure is ignored.
  ended.catch(() => {});
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  };
  return { signal: controller.signal, ended, end };
}

const timeUp = new Error('Time is up.');

/** Following it would hand the key to whatever address the answer names. */
function refuseRedirect({ status, type, headers, body }: Response, { sent }: Attempt): void {
  // A browser-like fetch hides the status of a redirect.
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;
  body?.cancel().catch(() => {});
  const target = headers.get('location');
  throw new ApiError(
    `The server answered with a redirect${target ? ` to ${target}` : ''}. It was not followed, because the API key would go ` +
      'along; set baseUrl to the final address.',
    { status, requestId: headers.get('x-request-id'), sent },
  );
}

function outcomeOf({ data, error, response }: Answer, { sent }: Attempt): Outcome {
  const { status, headers } = response;
  if (status === 304) return { response };
  // Every success of this API is an object.
  if (response.ok && typeof data === 'object' && data !== null && !Array.isArray(data)) return { response, data };
  const facts = { status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterOf(headers), sent };
  const failure = response.ok ? null : errorFromBody(error, facts);
  return failure ? { response, failure } : { response, lost: foreignAnswer(response, facts) };
}

function lossOf(cause: unknown, { attempt, progress }: { attempt: Attempt; progress: Progress }): TillhookError {
  const { operationId, limit, signal, sent } = attempt;
  const { response } = progress;
  const facts: ErrorFacts = { sent, requestId: response?.headers.get('x-request-id') ?? null, cause };
  if (cause instanceof ApiError) return cause;
  if (signal?.aborted) return new AbortedError(`${operationId} was aborted.`, { ...facts, cause: signal.reason });
  if (cause === timeUp) {
    const told = `${operationId} took over ${limit.givenMs} ms. Raise ${limit.option} if that is too short.`;
    return new ConnectionError(told, facts);
  }
  if (cause instanceof SyntaxError && response) {
    // A success that is no JSON came from something else, a proxy's page for example.
    if (!/json/i.test(response.headers.get('content-type') ?? '')) return foreignAnswer(response, facts);
    return new ConnectionError(`${operationId} got JSON that breaks off or is none.`, facts);
  }
  // Node's fetch says only "fetch failed"; the reason is the cause of that.
  const reason: { code?: unknown; message?: string } = Object((cause as Error)?.cause ?? cause);
  const told = typeof reason.code === 'string' ? reason.code : (reason.message ?? String(cause));
  return new ConnectionError(`${operationId} got no whole answer: ${told}.`, facts);
}
