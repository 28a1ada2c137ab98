import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { TillhookError } from '@tillhook/sdk/session';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadScriptsOf } from '../home/load-scripts.ts';
import { overviewRead, usualDays } from '../home/overview-read.ts';
import { styleNonce } from './base.ts';
import { colorSchemes } from './color-scheme.ts';
import { queryClient } from './query-client.ts';
import { takeOverview } from './request-ahead.ts';
import { router } from './routes.ts';
import { cssVariables, theme } from './theme.ts';

keepOverview();

// The library that prevents scrolling behind a dialog adds a style element, with the nonce of `get-nonce`.
setNonce(styleNonce);

createRoot(document.getElementById('root') as HTMLElement, { onCaughtError: reportBug }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/** Loads the script that shows the figures of Home while React renders the page. */
function keepOverview(): void {
  const requested = takeOverview();
  if (!requested) return;
  const { mode, answer } = requested;
  void queryClient.prefetchQuery({
    queryKey: [mode, ...overviewRead(usualDays).key],
    queryFn: () => answer,
    retry: false,
  });
  answer.then(loadScriptsOf, () => undefined);
}

/** The page shows a failed request. Any other error is a bug of the dashboard. */
function reportBug(error: unknown): void {
  if (!(error instanceof TillhookError)) reportError(error);
}
