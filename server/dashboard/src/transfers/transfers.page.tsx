import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function TransfersPage(): ReactNode {
  return (
    <Page title="Transfers">
      <LinesSkeleton />
    </Page>
  );
}
