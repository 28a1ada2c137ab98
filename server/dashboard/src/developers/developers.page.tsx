import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Page } from '../kit/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { QuickStart } from './quick-start.tsx';
import { TestHelpers } from './test-helpers.tsx';

/** What a developer needs of the account: keys, the first calls with one of them, and what stands in for customers in tests. */
export function DevelopersPage(): ReactNode {
  const mode = useMode();
  return (
    <Page title="Developers" about="The keys of your programs, the first calls with one, and helpers for tests.">
      <DevelopersOf key={mode} />
    </Page>
  );
}

/** Of one mode: nothing that was typed or made in it is left when the other is looked at. */
function DevelopersOf(): ReactNode {
  // A key can be read once, so the samples have it as long as this page is open.
  const [freshKey, setFreshKey] = useState<string | null>(null);
  return (
    <Stack gap="xl">
      <ApiKeys onKey={setFreshKey} />
      <QuickStart apiKey={freshKey} onKey={setFreshKey} />
      <TestHelpers />
    </Stack>
  );
}
