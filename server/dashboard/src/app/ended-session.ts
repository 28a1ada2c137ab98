interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
}

let waiting: Waiting | undefined;
/** How often the user has signed in again on this page. */
let signIns = 0;
const listeners = new Set<() => void>();

export function whenSessionRestored(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers<void>();
    notifyListeners();
  }
  return waiting.promise;
}

export function resumeCalls(): void {
  signIns += 1;
  waiting?.resolve();
  waiting = undefined;
  notifyListeners();
}

export function hasSessionEnded(): boolean {
  return waiting !== undefined;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** The maximum time from sending a request to the end of its response. The `wait` parameter of a request extends this time. */
const maxAnswerMs = 20_000;

/**
 * A `fetch` that, when the session has ended, sends the request again once the user has signed in. The timeout is here,
 * because the SDK would also count the time in which the user types the password.
 * See docs/decisions/dashboard.md, "An ended session is handled below the SDK".
 */
export const patientFetch: typeof fetch = async (input, init) => {
  for (;;) {
    const signInsBefore = signIns;
    const response = await fetchWithTimeLimit(input, init);
    if (!(await saysSessionEnded(response))) return response;
    // The response to a long request may be about the session before, although the user has signed in since.
    if (signIns === signInsBefore) await whenSessionRestored();
    init?.signal?.throwIfAborted();
  }
};

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
