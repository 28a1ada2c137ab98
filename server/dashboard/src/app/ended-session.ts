/**
 * When the service answers 401 `invalid_session`, the call waits until the same user has signed in again, and is then
 * sent again. The dialog for signing in is in `shell/ended-session-dialog.tsx`.
 */

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** Returns a promise that resolves when the user has signed in again. */
export function whenSessionRestored(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers<void>();
    notifyListeners();
  }
  return waiting.promise;
}

/** Called when the same user has a session again. Lets the waiting calls continue. */
export function resumeCalls(): void {
  waiting?.resolve();
  waiting = undefined;
  notifyListeners();
}

export function hasSessionEnded(): boolean {
  return waiting !== undefined;
}

/** Calls the listener whenever the session ends or is restored. Returns a function that removes the listener. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/**
 * The maximum time in milliseconds from sending a request until the whole response has arrived. The `wait` parameter of
 * a request extends this time.
 */
const maxAnswerMs = 20_000;

/**
 * A `fetch` that waits while the user signs in again. When a response says that the session has ended, the caller
 * does not get this response: the request is sent again once the user has signed in. The timeout is here and not in
 * the SDK, because the SDK would also count the time in which the user types the password.
 * See docs/decisions/dashboard.md, "An ended session is handled below the SDK".
 */
export const patientFetch: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetchWithTimeLimit(input, init);
    if (!(await saysSessionEnded(response))) return response;
    await whenSessionRestored();
    init?.signal?.throwIfAborted();
  }
};

/** Sends a request that needs no session, with the same timeout as `patientFetch`. */
export const fetchWithTimeLimit: typeof fetch = (input, init) => {
  const waitSeconds = Number(/[?&]wait=(\d+)/.exec(String(input))?.[1] ?? 0);
  const limit = AbortSignal.timeout(maxAnswerMs + waitSeconds * 1_000);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};

/**
 * The browser does not send an expired cookie. Operations that also accept an API key then answer `missing_api_key`.
 */
const endedSessionCodes: readonly unknown[] = ['invalid_session', 'missing_api_key'];

async function saysSessionEnded(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return endedSessionCodes.includes((body as { error?: { code?: unknown } } | null)?.error?.code);
}
