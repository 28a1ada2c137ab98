import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../app/session.ts';

/** Reads the session again after a change of it. */
export function useRefreshSession(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
