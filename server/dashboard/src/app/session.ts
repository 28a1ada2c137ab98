/**
 * The session of the user. The dashboard reads the session when it opens, and again whenever its window gets the
 * focus.
 */
import { useWindowEvent } from '@mantine/hooks';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '@tillhook/sdk/session';
import { useEffect, useState } from 'react';
import { readSession } from './read-session.ts';
import { takeSession } from './request-ahead.ts';
import { watchedMerchant } from './watched-merchant.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<Session> => takeSession() ?? readSession(signal),
  staleTime: 60_000,
});

/**
 * Stores the session after a sign-in. The response to a sign-in has the user's own merchant, so the session is read
 * again for an operator who has chosen another merchant.
 */
export async function keepSession(queryClient: QueryClient, session: Session): Promise<void> {
  if (watchedMerchant() === undefined) queryClient.setQueryData(sessionQuery.queryKey, session);
  else await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Returns the session, on a page that only signed-in users see. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('useSession was called before the session was read.');
  return data;
}

/**
 * Another user may have signed in in another tab. That user must not see the data of this page, so the page is
 * reloaded.
 * See docs/decisions/dashboard.md, "The dashboard loads itself again for another user".
 */
export function useReloadForOtherUser(): void {
  const { user } = useSession();
  const [firstUserId] = useState(user.id);
  const { refetch } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  // TanStack Query reads the session again when the tab becomes visible. Two windows side by side are always visible,
  // so the session is also read again on focus.
  useWindowEvent('focus', () => void refetch());
  useEffect(() => {
    if (user.id !== firstUserId) location.reload();
  }, [user.id, firstUserId]);
}

/** Returns a function that reads the session again. A page must call it after a change to the session. */
export function useRefreshSession(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
