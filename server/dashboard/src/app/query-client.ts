import { focusManager, QueryClient } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // Without a network connection the request fails, and the page shows the failure. By default, TanStack Query
      // would wait for a connection and show nothing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Whether an automatic retry may succeed. After 429, only code that waits for `Retry-After` retries. */
export function isTransient(error: Error): boolean {
  return error instanceof TillhookError && (error.status === null || error.status >= 500);
}

// When a computer wakes up while this window is visible, the browser fires no visibilitychange event. A jump of the
// clock shows that the computer was asleep.
let lastTick = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - lastTick > 30_000 && document.visibilityState === 'visible') focusManager.onFocus();
  lastTick = now;
}, 5_000);
