import { sessionBegunAgain } from './ended-session.ts';

/** How long an answer may take, its body included. */
const longestAnswerMs = 20_000;

/**
 * A fetch that waits while somebody types their password: an answer that says that the session has ended is kept from the
 * caller, and the request is sent again, as it was, once there is a session. The time limit is here and not in the SDK,
 * because the SDK's clock would run on while the password is typed.
 * See docs/decisions/dashboard.md, "An ended session is handled below the SDK".
 */
export const patientFetch: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetchInTime(input, init);
    if (!(await saysSessionEnded(response))) return response;
    await sessionBegunAgain();
    init?.signal?.throwIfAborted();
  }
};

/** The same limit, for the calls of somebody who is not signed in. */
export const fetchInTime: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(longestAnswerMs);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};

/** A browser sends no cookie once it is too old, and operations that take a key too then ask for one. */
const endedCodes: readonly unknown[] = ['invalid_session', 'missing_api_key'];

async function saysSessionEnded(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return endedCodes.includes((body as { error?: { code?: unknown } } | null)?.error?.code);
}
