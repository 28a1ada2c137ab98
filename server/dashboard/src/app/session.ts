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

/** The response to a sign-in has the user's own merchant, so the session is read again if this tab shows another. */
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
 * Another user may have signed in in another tab, and must not see the data of this page.
 * See docs/decisions/dashboard.md, "The dashboard loads itself again for another user".
 */
export function useReloadForOtherUser(): void {
  const { user } = useSession();
  const [firstUserId] = useState(user.id);
  const { refetch } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  // Two windows side by side are always visible, so the session is also read again on focus.
  useWindowEvent('focus', () => void refetch());
  useEffect(() => {
    if (user.id !== firstUserId) location.reload();
  }, [user.id, firstUserId]);
}

/** A page must call the returned function after a change to the session. */
export function useRefreshSession(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
