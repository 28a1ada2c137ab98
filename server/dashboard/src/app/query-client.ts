import { focusManager, QueryClient } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // Without a connection the request fails, and the page says so; by default it would wait in silence.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** A failure that the next moment may not have. What was answered 429 is not asked again without being told to. */
export function mayPass(error: Error): boolean {
  return error instanceof TillhookError && (error.status === null || error.status >= 500);
}

// A laptop that wakes with its window in front tells of no change of visibility, but the clock has leapt.
let lastTick = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - lastTick > 30_000 && document.visibilityState === 'visible') focusManager.onFocus();
  lastTick = now;
}, 5_000);
