import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function SettingsPage(): ReactNode {
  return (
    <Page title="Settings">
      <LinesSkeleton />
    </Page>
  );
}
