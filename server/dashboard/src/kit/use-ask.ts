/**
 * Asks the service to change something. Nothing is shown as done before the service has said so: `isBusy` is true until it has
 * answered. When the answer is lost, the same request is sent again with the same `Idempotency-Key`, by itself twice and then
 * whenever it is asked for again, so that it has its effect once. What is typed anew is another request and has a new key.
 * See docs/decisions/dashboard.md, "Pages repeat calls, and the SDK does not".
 */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TillhookError, type TillhookSession } from '@tillhook/sdk/session';
import { useRef } from 'react';
import { useMode, useTillhook } from '../app/use-tillhook.ts';

interface Ask<Input, Output> {
  /** Operations that take a key must be handed the options; the others take none of them. */
  ask: (tillhook: TillhookSession, input: Input, options: { idempotencyKey: string }) => PromiseLike<Output>;
  /**
   * False for what has its effect anew each time: a POST that takes no key, such as a test event or a new API key. A lost
   * answer is then left to the caller.
   */
  isRepeatable?: boolean;
  /** The first words of the keys of what is read anew afterwards: `['payments']`. */
  changes?: readonly string[];
  /** What it returns is waited for, so that nothing is asked a second time while another page opens. */
  onAnswer?: (output: Output, input: Input) => unknown;
}

export interface Asking<Input> {
  ask: (input: Input) => void;
  isBusy: boolean;
  error: Error | null;
  /** The last answer was lost: whether it has happened is not known, and asking again is safe. */
  isLost: boolean;
  /** Asks the same again. */
  again: () => void;
  /** Forgets the failure, when a dialog is closed. */
  reset: () => void;
}

export function useAsk<Input, Output>({
  ask,
  isRepeatable = true,
  changes = [],
  onAnswer,
}: Ask<Input, Output>): Asking<Input> {
  const tillhook = useTillhook();
  const mode = useMode();
  const queryClient = useQueryClient();
  const open = useRef<{ idempotencyKey: string; request: string }>(undefined);
  // The second click of two can come before what the first changed is drawn, so that `isPending` does not know of it yet.
  const isAsking = useRef(false);
  const mutation = useMutation<Output, Error, Input>({
    mutationFn: async (input) => {
      const request = JSON.stringify(input) ?? '';
      if (open.current?.request !== request) open.current = { idempotencyKey: newKey(), request };
      return ask(tillhook, input, { idempotencyKey: open.current.idempotencyKey });
    },
    retry: (failures, error) => isRepeatable && failures < 2 && isLostAnswer(error),
    retryDelay: (failures) => 500 * 3 ** failures,
    onError: (error) => {
      if (!isLostAnswer(error)) open.current = undefined;
    },
    onSuccess: (output, input) => {
      open.current = undefined;
      for (const name of changes) void queryClient.invalidateQueries({ queryKey: [mode, name] });
      return onAnswer?.(output, input);
    },
    onSettled: () => {
      isAsking.current = false;
    },
  });
  const askOnce = (input: Input) => {
    if (isAsking.current) return;
    isAsking.current = true;
    mutation.mutate(input);
  };
  const { variables, status, isPending, error, reset } = mutation;
  return {
    ask: askOnce,
    again: () => {
      if (status !== 'idle') askOnce(variables as Input);
    },
    isBusy: isPending,
    error,
    isLost: error !== null && isLostAnswer(error),
    reset,
  };
}

/**
 * Nobody can say whether it was carried out. An answer without a code comes from a proxy on the way, not from the service.
 * See docs/decisions/dashboard.md, "A mode without a processor is no lost answer".
 */
function isLostAnswer(error: Error): boolean {
  // With this code the service says that nothing was changed, and it would say the same again.
  if (!(error instanceof TillhookError) || error.code === 'processor_not_configured') return false;
  return error.code === null || (error.status ?? 500) >= 500 || error.code === 'idempotency_in_progress';
}

/** Not `crypto.randomUUID`, which a page has only over https or on this machine. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
