import { focusManager, QueryClient } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // Without a connection the request fails, and the page says so. By default the library would wait and show
      // nothing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Whether a retry may succeed. After 429 the request is repeated only after `Retry-After`. */
export function isTransient(error: Error): boolean {
  return error instanceof TillhookError && (error.status === null || error.status >= 500);
}

// When a computer wakes up with this window in front, the browser reports no change of visibility. But the clock has
// jumped.
let lastTick = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - lastTick > 30_000 && document.visibilityState === 'visible') focusManager.onFocus();
  lastTick = now;
}, 5_000);
