import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type CallOptions, NotFoundError, TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useEffect } from 'react';
import { followWhileShown } from './live.ts';
import { liveEveryMs, pauseWithEvents } from './live-pace.ts';
import { useMode, useTillhook } from './use-tillhook.ts';

interface Read<Value> {
  /** Everything that the response depends on, except the mode. */
  key: readonly unknown[];
  read: (tillhook: TillhookSession, options: CallOptions) => PromiseLike<Value>;
  /** Whether to repeat the request every few seconds, after each event, and when the page becomes visible again. */
  isLive?: boolean;
  /** Whether the data will soon change without an event. A pending delivery changes in this way. */
  isChanging?: (value: Value) => boolean;
  /** The polling interval of a live page in milliseconds: longer for responses that are more expensive than a list. */
  everyMs?: number;
  /** Shows the previous response until the response for a new key arrives, as lists do when their filters change. */
  keepsPrevious?: boolean;
  isEnabled?: boolean;
}

/** Reads data in the mode of the page's URL. Use `Loaded` to show the result. */
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
    // A response from the other mode is never shown.
    placeholderData: (previous, query) => (keepsPrevious && query?.queryKey[0] === mode ? previous : undefined),
    enabled: isEnabled ?? true,
  });
}

/**
 * An invalid id or reference in the URL names no record, for example because the URL was truncated.
 * See docs/decisions/dashboard.md, "A URL that names no possible record is a page that does not exist".
 */
function cannotExist(error: unknown, named: object): error is TillhookError {
  if (!(error instanceof TillhookError) || error.code !== 'invalid_parameter') return false;
  return error.param !== null && Object.hasOwn(named, error.param);
}

/**
 * After 429, the page waits as long as `Retry-After` asks. After any other refusal it does not poll, because the
 * service would refuse again.
 * See docs/decisions/dashboard.md, "Pages ask again by themselves only after a failure that may pass".
 */
function pauseAfter(error: Error | null, everyMs: number): number | false {
  if (!(error instanceof TillhookError) || error.status === null || error.status >= 500) return everyMs;
  return error.status === 429 && Math.max(everyMs, error.retryAfterMs ?? 0);
}
