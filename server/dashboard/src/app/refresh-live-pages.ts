import type { Query } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';
import { liveEveryMs } from './live-pace.ts';
import { queryClient } from './query-client.ts';

interface Repetition {
  /** When the request was last repeated because of an event. */
  at: number;
  timer: ReturnType<typeof setTimeout>;
}

const repetitions = new WeakMap<Query, Repetition>();
let postponed: ReturnType<typeof setTimeout> | undefined;

/**
 * Repeats the requests of live pages at once, and again when what an event starts has usually happened, such as its
 * deliveries. However many events come, no request is repeated more often than a live page without them would do.
 */
export function refreshLivePages(): void {
  clearTimeout(postponed);
  // The event of the user's own change may come before its answer, and would close the dialog that shows the answer.
  if (queryClient.isMutating() > 0) {
    postponed = setTimeout(refreshLivePages, liveEveryMs);
    return;
  }
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const everyMs = Number(query.meta?.liveEveryMs);
    if (everyMs > 0 && !isRefused(query)) repeat(query, everyMs);
  }
}

function repeat(query: Query, everyMs: number): void {
  const last = repetitions.get(query);
  clearTimeout(last?.timer);
  const pauseMs = last ? last.at + everyMs - Date.now() : 0;
  if (pauseMs <= 0) askAgain(query);
  const at = pauseMs <= 0 ? Date.now() : (last?.at ?? 0);
  const later = () => {
    repetitions.set(query, { at: Date.now(), timer });
    askAgain(query);
  };
  const timer = setTimeout(later, pauseMs <= 0 ? everyMs : pauseMs);
  repetitions.set(query, { at, timer });
}

/** A request that is under way may have been answered before the event, so it is sent again. */
function askAgain({ queryKey }: Query): void {
  void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' });
}

function isRefused({ state: { error } }: Query): boolean {
  return error instanceof TillhookError && error.status !== null && error.status < 500;
}
