import createClient from 'openapi-fetch';
import type { ClientSettings } from './client-options.ts';
import { ApiError, ConnectionError, errorFromResponse, TillhookError } from './errors.ts';
import { authHeader, type Method, type OperationId, type RequestParts, routes, type Send } from './operations.ts';
import { retryDelayMs } from './retry-policy.ts';
import { safePath } from './safe-path.ts';

/**
 * Carries an operation to the server and its answer back. openapi-fetch is known to this file only:
 * it builds the request and reads the answer. Time-outs, retries and redirects are decided here.
 */
export function createTransport(settings: ClientSettings): Send {
  const { baseUrl } = settings;
  // What a request may hold is checked where it is typed, in `operations.ts`: through a generic
  // operation id openapi-fetch's own types cannot follow.
  const request = createClient({ baseUrl, pathSerializer: safePath }).request as unknown as LooseRequest;

  return async (id, parts) => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(request, { id, parts, settings });
      if ('data' in outcome) return outcome.data;

      const [method] = routes[id];
      const delayMs = attempt <= settings.maxRetries ? retryDelayMs({ method, attempt, ...outcome }) : null;
      if (delayMs === null) throw outcome.error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  };
}

type LooseRequest = (method: Method, path: string, init: object) => Promise<Answer>;

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

interface Attempt {
  id: OperationId;
  parts: RequestParts;
  settings: ClientSettings;
}

/** An answer, or what went wrong; without `response` when none came, or not all of it. */
type Outcome = { data: unknown } | { error: TillhookError; response?: Response };

/** How far an attempt got. */
interface Progress {
  isSent: boolean;
  response?: Response;
}

async function attemptOnce(request: LooseRequest, { id, parts, settings }: Attempt): Promise<Outcome> {
  const [method, path] = routes[id];
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const progress: Progress = { isSent: false };
  try {
    const { data, error, response } = await request(method, path, {
      params: { path: parts.path, query: parts.query },
      body: parts.body,
      headers: authHeader(id, settings.apiKey),
      fetch: async (built: Request) => {
        progress.isSent = true;
        progress.response = await fetchUnredirected(settings.fetch, built, signal);
        return progress.response;
      },
    });
    // Every success of this API is an object.
    if (response.ok && typeof data === 'object' && data !== null) return { data };
    return { error: errorFromResponse(response, error), response };
  } catch (cause) {
    if (cause instanceof TillhookError || !progress.isSent) throw cause;
    if (signal.aborted) return { error: new ConnectionError(`${id} took over ${settings.timeoutMs} ms.`, { cause }) };
    return failureOf(id, cause, progress.response);
  }
}

/**
 * Following a redirect would hand the key to whatever address the answer names. Any `fetch`
 * understands an address and plain options, where a foreign one refuses Node's own `Request`.
 */
async function fetchUnredirected(
  fetch: ClientSettings['fetch'],
  { url, method, headers, body }: Request,
  signal: AbortSignal,
): Promise<Response> {
  const text = body === null ? undefined : await new Response(body).text();
  const response = await fetch(url, { method, headers, body: text, signal, redirect: 'manual' });
  const { status, type } = response;
  // A browser-like fetch hides the status of a redirect.
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;

  await response.body?.cancel();
  const target = response.headers.get('location');
  throw new ApiError(
    `The server answered with a redirect${target ? ` to ${target}` : ''}. It was not followed, because the API key ` +
      'would go along; set baseUrl to the final address.',
    { status, requestId: response.headers.get('x-request-id') },
  );
}

function failureOf(id: OperationId, cause: unknown, response: Response | undefined): Outcome {
  // A success that is no JSON came from something else, a proxy's page for example.
  if (cause instanceof SyntaxError && response) return { error: errorFromResponse(response, undefined), response };
  // Node's fetch says only "fetch failed"; the reason is the cause of that.
  const { code, message } = ((cause as Error).cause ?? cause) as { code?: string; message?: string };
  return { error: new ConnectionError(`${id} got no whole answer: ${code ?? message}.`, { cause }) };
}
