import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type CallOptions, NotFoundError, TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useEffect } from 'react';
import { followWhileShown } from './live.ts';
import { liveEveryMs, pauseWithEvents } from './live-pace.ts';
import { useMode, useTillhook } from './use-tillhook.ts';

interface Read<Value> {
  /** Identifies what is read, with everything that the answer depends on except the mode. */
  key: readonly unknown[];
  read: (tillhook: TillhookSession, options: CallOptions) => PromiseLike<Value>;
  /**
   * Repeats the request while the page is visible: when an event comes, every few seconds, and at once when the page
   * becomes visible again.
   */
  isLive?: boolean;
  /** Whether the answer will soon change without an event, as a pending delivery does. */
  isChanging?: (value: Value) => boolean;
  /** The time between two requests of a live page, for an answer that is more expensive than that of a list. */
  everyMs?: number;
  /** Shows the previous answer until the answer for another key arrives. For lists whose filters change. */
  keepsPrevious?: boolean;
  isEnabled?: boolean;
}

/** Reads from the service, in the mode of the address. Show the result with `Loaded`. */
export function useRead<Value>({
  key,
  read,
  isLive,
  everyMs = liveEveryMs,
  isChanging,
  keepsPrevious,
  isEnabled,
}: Read<Value>): UseQueryResult<Value> {
  const tillhook = useTillhook();
  const mode = useMode();
  const named = useParams({ strict: false });
  useEffect(() => (isLive ? followWhileShown(mode) : undefined), [isLive, mode]);
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
    refetchInterval: isLive
      ? ({ state: { data, error } }) => {
          const changesWithoutEvent = data && isChanging?.(data);
          return pauseAfter(error, changesWithoutEvent ? everyMs : pauseWithEvents(everyMs));
        }
      : false,
    meta: { liveEveryMs: isLive ? everyMs : 0 },
    refetchOnWindowFocus: isLive ? 'always' : true,
    // An answer of the other mode is never shown.
    placeholderData: (previous, query) => (keepsPrevious && query?.queryKey[0] === mode ? previous : undefined),
    enabled: isEnabled ?? true,
  });
}

/**
 * The id or reference in the address of the page is not valid, for example because the address was cut off. For the
 * user, the record does not exist.
 * See docs/decisions/dashboard.md, "An address that names no possible record is a page that does not exist".
 */
function cannotExist(error: unknown, named: object): error is TillhookError {
  if (!(error instanceof TillhookError) || error.code !== 'invalid_parameter') return false;
  return error.param !== null && Object.hasOwn(named, error.param);
}

/**
 * A refused request would be refused again. After 429 the service says how long to wait. Other failures may be
 * temporary.
 * See docs/decisions/dashboard.md, "Pages ask again by themselves only after a failure that may pass".
 */
function pauseAfter(error: Error | null, everyMs: number): number | false {
  if (!(error instanceof TillhookError) || error.status === null || error.status >= 500) return everyMs;
  return error.status === 429 && Math.max(everyMs, error.retryAfterMs ?? 0);
}
