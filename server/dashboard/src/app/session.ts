/** The session of the user. It is read when the dashboard opens, and again whenever its window gets the focus. */
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
 * Stores the session after a sign-in. Its answer has the user's merchant, so for an operator who has chosen another
 * merchant the session is read again.
 */
export async function keepSession(queryClient: QueryClient, session: Session): Promise<void> {
  if (watchedMerchant() === undefined) queryClient.setQueryData(sessionQuery.queryKey, session);
  else await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** The session, on a page that is only shown to signed-in users. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('useSession was called before the session was read.');
  return data;
}

/**
 * Another user may have signed in in another tab. Nothing on this page belongs to that user, so the page is loaded
 * again.
 * See docs/decisions/dashboard.md, "The dashboard loads itself again for another user".
 */
export function useReloadForOtherUser(): void {
  const { user } = useSession();
  const [firstUserId] = useState(user.id);
  const { refetch } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  // The library reads the session when the tab becomes visible. Two windows side by side are both visible all the
  // time.
  useWindowEvent('focus', () => void refetch());
  useEffect(() => {
    if (user.id !== firstUserId) location.reload();
  }, [user.id, firstUserId]);
}

/** Returns a function that reads the session again. Call it after a change to the session. */
export function useRefreshSession(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
