/** The retry policy, a time limit or the caller may end a call before its final response. */
import { type Attempt, attemptsOver, type MakeAttempt, type Outcome } from './attempt.ts';
import { type ClientSettings, checkLimits, maxTimeoutMs } from './client-options.ts';
import { AbortedError, type SentCall, type TillhookError } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { AttemptDetails } from './hooks.ts';
import type { AnyResult, OperationId, OperationRequest, Output, Send } from './operations.ts';
import { isAbortedWithin } from './pause.ts';
import { retryDelayMs } from './retry-policy.ts';
import type { Route } from './route.ts';

export function createTransport(settings: ClientSettings): Send {
  const make = attemptsOver(settings);
  return (request) => sendWithRetries({ request, route: routes[request.id], settings, make });
}

interface TransportCall {
  request: OperationRequest;
  route: Route;
  settings: ClientSettings;
  make: MakeAttempt;
}

async function sendWithRetries(call: TransportCall): Promise<AnyResult> {
  const { request, settings } = call;
  const { signal, totalTimeoutMs = settings.totalTimeoutMs } = request.options;
  checkOptions(call);
  const idempotencyKey = keyOf(call);
  const endsAt = performance.now() + totalTimeoutMs;
  let mayHaveWorked = false;
  for (let attempt = 1; ; attempt++) {
    const remainingMs = endsAt - performance.now();
    const made = attemptOf(call, { idempotencyKey, attempts: attempt, remainingMs, totalTimeoutMs });
    const outcome = await (settings.observers.response ? observedAttempt(call, made) : call.make(made));
    const result = resultOf(outcome, { call, made, mayHaveWorked });
    if (result && !result.error) return result;

    const error = (outcome.failure ?? outcome.lost) as TillhookError;
    mayHaveWorked ||= error.status === null || error.status >= 500;
    const delayMs = delayBefore(attempt + 1, { call, error, endsAt });
    if (delayMs === null) {
      settings.observers.error?.({ ...attemptDetails(call, made.sent), error });
      if (result) return result;
      throw error;
    }
    settings.observers.retry?.({ ...attemptDetails(call, made.sent), error, delayMs });
    if (await isAbortedWithin(delayMs, signal)) throw abortedBetween(call, made);
  }
}

interface Failed {
  call: TransportCall;
  error: TillhookError;
  endsAt: number;
}

function delayBefore(attempt: number, { call, error, endsAt }: Failed): number | null {
  const { request, route, settings } = call;
  const { maxRetries = settings.maxRetries } = request.options;
  if (attempt > maxRetries + 1 || error instanceof AbortedError) return null;
  const { status, code, retryAfterMs } = error;
  const isEndless = endsAt === Infinity;
  const delayMs = retryDelayMs({ route, attempt: attempt - 1, status, code, retryAfterMs, isEndless });
  return delayMs !== null && performance.now() + delayMs < endsAt ? delayMs : null;
}

function abortedBetween(call: TransportCall, made: Attempt): AbortedError {
  const { id, options } = call.request;
  const error = new AbortedError(`${id} was aborted.`, { sent: made.sent, cause: options.signal?.reason });
  call.settings.observers.error?.({ ...attemptDetails(call, made.sent), error });
  return error;
}

interface AttemptResult {
  call: TransportCall;
  made: Attempt;
  /** True when the server may have carried out an earlier attempt, which ended with 5xx or without a response. */
  mayHaveWorked: boolean;
}

function resultOf(outcome: Outcome, { call, made, mayHaveWorked }: AttemptResult): AnyResult | undefined {
  const { response, unread, data, failure, lost } = outcome;
  if (!response || lost) return undefined;
  const { headers, status } = response;
  const requestId = headers.get('x-request-id');
  const details = { requestId, headers, ...made.sent, ...(unread && { response: unread }) };
  // An earlier attempt removed the record, but the response of that attempt was lost.
  const removed = mayHaveWorked && failure?.code === 'resource_not_found' ? removalOf(call.request) : undefined;
  if (removed) return { ...details, status: 200, data: removed };
  return { ...details, status, data, error: failure };
}

const ownHeaders: ReadonlySet<string> = new Set(['authorization', 'content-type', 'idempotency-key', 'x-api-key']);

function checkOptions({ request: { options } }: TransportCall): void {
  checkLimits(options);
  const { signal, idempotencyKey, headers = {} } = options;
  const own = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()));
  if (own !== undefined) throw new TypeError(`The SDK itself sends the header ${own}, so no option may set it.`);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new TypeError('signal must be an AbortSignal.');
  }
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 printable characters of ASCII.');
  }
}

function keyOf({ request, route }: TransportCall): string | null {
  const { idempotencyKey } = request.options;
  if (route.isKeyed) return idempotencyKey ?? crypto.randomUUID();
  if (idempotencyKey === undefined) return null;
  throw new TypeError(
    `${request.id} takes no idempotencyKey${route.method === 'post' ? '' : ': it can be repeated without one'}.`,
  );
}

interface Sending {
  idempotencyKey: string | null;
  attempts: number;
  remainingMs: number;
  totalTimeoutMs: number;
}

function attemptOf(call: TransportCall, { remainingMs, totalTimeoutMs, ...sent }: Sending): Attempt {
  const { request, route, settings } = call;
  const { timeoutMs: givenMs = settings.timeoutMs, signal } = request.options;
  const timeoutMs = Math.min(givenMs + waitMsOf(request), maxTimeoutMs);
  return {
    operationId: request.id,
    route,
    parameters: request,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    headers: headersOf(call, sent),
    isForCsv: request.isForCsv ?? false,
    isForResponse: request.isForResponse ?? false,
    limit:
      remainingMs < timeoutMs
        ? { ms: remainingMs, option: 'totalTimeoutMs', givenMs: totalTimeoutMs }
        : { ms: timeoutMs, option: 'timeoutMs', givenMs: timeoutMs },
    signal,
    sent,
  };
}

/** The time that the server waits for a record does not count towards time limits. */
function waitMsOf({ query }: OperationRequest): number {
  return Number(query?.wait) * 1000 || 0;
}

/** The headers of the SDK come last, so that neither a caller nor a hook can replace them. */
function headersOf(call: TransportCall, sent: SentCall): Record<string, string> {
  const { request, route, settings } = call;
  const { options, body, isForCsv } = request;
  const own: Record<string, string> = { ...settings.authorize(route) };
  if (settings.userAgent) own['user-agent'] = settings.userAgent;
  if (body !== undefined) own['content-type'] = 'application/json';
  if (isForCsv) own.accept = 'text/csv';
  if (sent.idempotencyKey !== null) own['idempotency-key'] = sent.idempotencyKey;
  // Most calls have no further headers, and so need no `Headers`, which take long to make and to read.
  // See docs/decisions/sdk.md, "The SDK builds its requests without a library".
  if (!options.headers && !route.headers && !settings.observers.request) return own;

  const headers = new Headers(Object.entries(options.headers ?? {}).filter(([, value]) => value != null));
  settings.observers.request?.({ ...attemptDetails(call, sent), headers });
  for (const name of ownHeaders) headers.delete(name);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  for (const [option, name] of Object.entries(route.headers ?? {})) {
    const value = options[option];
    if (typeof value === 'string') headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

async function observedAttempt(call: TransportCall, made: Attempt): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await call.make(made);
  if (outcome.response) {
    const { status, headers } = outcome.response;
    const answered = { status, requestId: headers.get('x-request-id'), durationMs: performance.now() - startedAt };
    call.settings.observers.response?.({ ...attemptDetails(call, made.sent), ...answered });
  }
  return outcome;
}

function attemptDetails({ request, route }: TransportCall, sent: SentCall): AttemptDetails {
  return {
    operationId: request.id,
    method: route.method.toUpperCase(),
    route: route.path,
    attempt: sent.attempts,
    idempotencyKey: sent.idempotencyKey,
  };
}

/** The response bodies of successful removals: the server responds with 404 to a repeated removal. */
const removals: { [Id in OperationId]?: (path: Record<string, string>) => Output<Id> } = {
  removeWebhookEndpoint: ({ id = '' }) => ({
    success: true,
    message: 'Webhook endpoint removed',
    data: { id, deleted: true },
  }),
};

/** Returns the body of the lost response when an earlier attempt removed the record. */
function removalOf({ id, path }: OperationRequest): object | undefined {
  return removals[id]?.(path as Record<string, string>);
}
