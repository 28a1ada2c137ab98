/**
 * When a response is lost, the same request is sent again with the same `Idempotency-Key`, so that the change is made
 * only once. Two retries are automatic; after that, the user has to retry. A request with different input has a new
 * key.
 * See docs/decisions/dashboard.md, "Pages repeat calls, and the SDK does not".
 */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useEffect, useRef } from 'react';
import { liveNeedsKey } from '../app/live-needs.ts';
import { useMode, useTillhook } from '../app/use-tillhook.ts';

interface MutationOptions<Input, Output> {
  /** Operations that accept an idempotency key need `options`. */
  mutate: (tillhook: TillhookSession, input: Input, options: { idempotencyKey: string }) => PromiseLike<Output>;
  /**
   * False for a POST that accepts no idempotency key, because each retry would make another change. The caller then has
   * to handle a lost response.
   */
  isRepeatable?: boolean;
  /** The first elements of the query keys whose data is read again after the change: `['payments']`. */
  changes?: readonly string[];
  /** A returned promise is awaited, so that the user cannot send the request a second time while another page opens. */
  onAnswer?: (output: Output, input: Input) => unknown;
}

export interface ServiceMutation<Input> {
  mutate: (input: Input) => void;
  isBusy: boolean;
  error: Error | null;
  /** Whether the last response was lost: the change may have been made, and the request can be retried safely. */
  isLost: boolean;
  again: () => void;
  reset: () => void;
}

export function useServiceMutation<Input, Output>({
  mutate,
  isRepeatable = true,
  changes = [],
  onAnswer,
}: MutationOptions<Input, Output>): ServiceMutation<Input> {
  const tillhook = useTillhook();
  const mode = useMode();
  const queryClient = useQueryClient();
  const open = useRef<{ idempotencyKey: string; request: string }>(undefined);
  // The second click of a double click may arrive before React has rendered that the request is sent or has ended.
  const isSending = useRef(false);
  const mutation = useMutation<Output, Error, Input>({
    mutationFn: async (input) => {
      const request = JSON.stringify(input) ?? '';
      if (open.current?.request !== request) open.current = { idempotencyKey: newKey(), request };
      return mutate(tillhook, input, { idempotencyKey: open.current.idempotencyKey });
    },
    retry: (failures, error) => isRepeatable && failures < 2 && isLostAnswer(error),
    retryDelay: (failures) => 500 * 3 ** failures,
    onError: (error) => {
      if (!isLostAnswer(error)) open.current = undefined;
    },
    onSuccess: (output, input) => {
      open.current = undefined;
      for (const name of [...changes, liveNeedsKey]) void queryClient.invalidateQueries({ queryKey: [mode, name] });
      return onAnswer?.(output, input);
    },
  });
  const mutateOnce = (input: Input) => {
    if (isSending.current) return;
    isSending.current = true;
    mutation.mutate(input);
  };
  const { variables, status, isPending, submittedAt, error, reset } = mutation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request may begin and end between two renders.
  useEffect(() => {
    if (!isPending) isSending.current = false;
  }, [isPending, submittedAt]);
  return {
    mutate: mutateOnce,
    again: () => {
      if (status !== 'idle') mutateOnce(variables as Input);
    },
    isBusy: isPending,
    error,
    isLost: error !== null && isLostAnswer(error),
    reset,
  };
}

/**
 * True when the service may have carried out the request. An error without a code comes from a proxy in between.
 * See docs/decisions/dashboard.md, "A mode without a processor is no lost answer".
 */
function isLostAnswer(error: Error): boolean {
  // With `processor_not_configured` the service has changed nothing, and a retry would get the same response.
  if (!(error instanceof TillhookError) || error.code === 'processor_not_configured') return false;
  return error.code === null || (error.status ?? 500) >= 500 || error.code === 'idempotency_in_progress';
}

/** Browsers provide `crypto.randomUUID` only on pages from https or localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
