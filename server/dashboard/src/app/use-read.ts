import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type CallOptions, TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useMode, useTillhook } from './use-tillhook.ts';

/** How often a page that is live asks again. */
const liveEveryMs = 4_000;

interface Read<Value> {
  /** Names what is read, with everything that it depends on but the mode. */
  key: readonly unknown[];
  read: (tillhook: TillhookSession, options: CallOptions) => PromiseLike<Value>;
  /** Asks again every few seconds while the page can be seen, and at once when it is seen again. */
  isLive?: boolean;
  /** How often a live page asks, where the answer takes more to make than a list does. */
  everyMs?: number;
  /** Shows what was read before until the answer to another key is there: for lists whose filters change. */
  keepsPrevious?: boolean;
  isEnabled?: boolean;
}

/** Something of the service, in the mode of the address. Show it through `Loaded`. */
export function useRead<Value>({
  key,
  read,
  isLive,
  everyMs = liveEveryMs,
  keepsPrevious,
  isEnabled,
}: Read<Value>): UseQueryResult<Value> {
  const tillhook = useTillhook();
  const mode = useMode();
  return useQuery<Value>({
    queryKey: [mode, ...key],
    queryFn: async ({ signal }) => read(tillhook, { signal }),
    refetchInterval: isLive ? ({ state }) => pauseAfter(state.error, everyMs) : false,
    refetchOnWindowFocus: isLive ? 'always' : true,
    // Never what was read in the other mode.
    placeholderData: (previous, query) => (keepsPrevious && query?.queryKey[0] === mode ? previous : undefined),
    enabled: isEnabled ?? true,
  });
}

/**
 * What was refused would be refused again, and after 429 the service says how long to wait. A failure passes.
 * See docs/decisions/dashboard.md, "Pages ask again by themselves only after a failure that may pass".
 */
function pauseAfter(error: Error | null, everyMs: number): number | false {
  if (!(error instanceof TillhookError) || error.status === null || error.status >= 500) return everyMs;
  return error.status === 429 && Math.max(everyMs, error.retryAfterMs ?? 0);
}
