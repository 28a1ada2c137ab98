/**
 * Keeps calls waiting after an answer with 401 `invalid_session`, until the same user has signed in again. Then each
 * call is repeated once. The dialog is in `shell/ended-session-dialog.tsx`.
 */

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** Resolves when the user has signed in again. */
export function whenSessionRestored(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers<void>();
    notifyListeners();
  }
  return waiting.promise;
}

/** Ends the waiting. To be called when the same user has a session again. */
export function resumeCalls(): void {
  waiting?.resolve();
  waiting = undefined;
  notifyListeners();
}

export function hasSessionEnded(): boolean {
  return waiting !== undefined;
}

/** Calls the listener whenever the session ends or begins again. Returns a function that removes the listener. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
