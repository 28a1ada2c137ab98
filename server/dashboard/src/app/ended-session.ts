/**
 * What happens when a call is answered 401 `invalid_session`: everything that asks waits here until the same user has signed
 * in again, and is then asked once more. The dialog is in `shell/ended-session-dialog.tsx`.
 */

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** Resolves when somebody has signed in again. */
export function sessionBegunAgain(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers<void>();
    tellListeners();
  }
  return waiting.promise;
}

/** To be called once the same user has a session again. */
export function beginAgain(): void {
  waiting?.resolve();
  waiting = undefined;
  tellListeners();
}

export function hasSessionEnded(): boolean {
  return waiting !== undefined;
}

/** Calls the listener whenever the session ends or begins again, until what is returned is called. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}
