import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { visitor } from './api.ts';
import { liveEveryMs } from './live-pace.ts';
import { isTransient } from './query-client.ts';

/**
 * Calls the service every few seconds while the page is visible, and calls `onAnswer` when the service answers.
 * See docs/decisions/dashboard.md, "A page that the absent service failed asks again by itself".
 */
export function useServiceAnswers(onAnswer: () => void, { isEnabled }: { isEnabled: boolean }): void {
  const { data: isThere, dataUpdatedAt } = useQuery({
    queryKey: ['does the service answer'],
    queryFn: ({ signal }) => answers(signal),
    // The service has just failed, so the first request is sent after the first pause.
    initialData: false,
    staleTime: liveEveryMs,
    gcTime: 0,
    refetchInterval: liveEveryMs,
    enabled: isEnabled,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer.
  useEffect(() => {
    if (isThere) onAnswer();
  }, [isThere, dataUpdatedAt]);
}

/** A refusal, for example because the session has ended, is an answer too. */
async function answers(signal: AbortSignal): Promise<boolean> {
  try {
    await visitor.session.get({ signal });
    return true;
  } catch (error) {
    return error instanceof Error && !isTransient(error);
  }
}
