import { Stack } from '@mantine/core';
import type { CreatedApiKey } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Page } from '../kit/page.tsx';
import { ApiKeys, useKeys } from './api-keys.tsx';
import { QuickStart } from './quick-start.tsx';
import { TestHelpers } from './test-helpers.tsx';

export function DevelopersPage(): ReactNode {
  const mode = useMode();
  return (
    <Page title="Developers" about="API keys, a quick start, and helpers for tests.">
      <DevelopersOf key={mode} />
    </Page>
  );
}

/** When the mode changes, everything that the user has typed or created here is discarded. */
function DevelopersOf(): ReactNode {
  // The API returns a key only once, so the samples contain it while this page is open and the key is not revoked.
  const [freshKey, setFreshKey] = useState<CreatedApiKey | null>(null);
  const { data } = useKeys();
  const hasEnded = data?.ended.some(({ id }) => id === freshKey?.id) ?? false;
  return (
    <Stack gap="xl">
      <ApiKeys onKey={setFreshKey} />
      <QuickStart apiKey={hasEnded ? null : freshKey} onKey={setFreshKey} />
      <TestHelpers />
    </Stack>
  );
}
