import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function DevelopersPage(): ReactNode {
  return (
    <Page title="Developers">
      <LinesSkeleton />
    </Page>
  );
}
