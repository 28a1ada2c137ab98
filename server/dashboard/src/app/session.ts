/** Who is signed in: asked once when the dashboard opens, and again whenever its window comes to the front. */

import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Session, TillhookError } from '@tillhook/sdk/session';
import { useEffect } from 'react';
import { visitor } from './api.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<Session> => visitor.session.get({ signal }).then((session) => session),
  staleTime: 60_000,
});

/** The session, on a page that only somebody who is signed in can see. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('A page below a mode is shown before the session is known.');
  return data;
}

/** In another tab somebody else may have signed in, to whom nothing on this page belongs: it is loaded anew. */
export function useSameUserOnly(): void {
  const { user } = useSession();
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  useEffect(() => {
    if (data && data.user.id !== user.id) location.reload();
  }, [data, user.id]);
}

export function isEndedSession(error: unknown): boolean {
  return error instanceof TillhookError && error.code === 'invalid_session';
}
