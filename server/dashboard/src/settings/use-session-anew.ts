import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../app/session.ts';

/** Asks again who is signed in, after something changed about it. */
export function useSessionAnew(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
