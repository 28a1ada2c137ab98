import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function BalancesPage(): ReactNode {
  return (
    <Page title="Balances">
      <LinesSkeleton />
    </Page>
  );
}
