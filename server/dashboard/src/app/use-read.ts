import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type CallOptions, NotFoundError, TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useMode, useTillhook } from './use-tillhook.ts';

/** How often a page that is live asks again. */
export const liveEveryMs = 4_000;

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
  const named = useParams({ strict: false });
  return useQuery<Value>({
    queryKey: [mode, ...key],
    queryFn: async ({ signal }) => {
      try {
        return await read(tillhook, { signal });
      } catch (error) {
        throw cannotExist(error, named)
          ? new NotFoundError(error.message, { ...error, status: 404, docUrl: null })
          : error;
      }
    },
    refetchInterval: isLive ? ({ state }) => pauseAfter(state.error, everyMs) : false,
    refetchOnWindowFocus: isLive ? 'always' : true,
    // Never what was read in the other mode.
    placeholderData: (previous, query) => (keepsPrevious && query?.queryKey[0] === mode ? previous : undefined),
    enabled: isEnabled ?? true,
  });
}

/**
 * The address of the page names its record by what can be no reference or id, as an address does that was cut off. For the reader
 * there is no such record.
 * See docs/decisions/dashboard.md, "An address that names no possible record is a page that does not exist".
 */
function cannotExist(error: unknown, named: object): error is TillhookError {
  if (!(error instanceof TillhookError) || error.code !== 'invalid_parameter') return false;
  return error.param !== null && Object.hasOwn(named, error.param);
}

/**
 * What was refused would be refused again, and after 429 the service says how long to wait. A failure passes.
 * See docs/decisions/dashboard.md, "Pages ask again by themselves only after a failure that may pass".
 */
function pauseAfter(error: Error | null, everyMs: number): number | false {
  if (!(error instanceof TillhookError) || error.status === null || error.status >= 500) return everyMs;
  return error.status === 429 && Math.max(everyMs, error.retryAfterMs ?? 0);
}
