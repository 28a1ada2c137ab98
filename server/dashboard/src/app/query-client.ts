import { focusManager, QueryClient } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // By default, TanStack Query would wait for a network connection and show nothing, instead of showing the
      // failure.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Whether to retry automatically. After 429, only code that waits for `Retry-After` may retry. */
export function isTransient(error: Error): boolean {
  return error instanceof TillhookError && (error.status === null || error.status >= 500);
}

// When a computer wakes up while this window is visible, the browser fires no visibilitychange event, but the clock
// jumps.
let lastTick = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - lastTick > 30_000 && document.visibilityState === 'visible') focusManager.onFocus();
  lastTick = now;
}, 5_000);
