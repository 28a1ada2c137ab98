import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function TransferPage(): ReactNode {
  return (
    <Page title="Transfer">
      <LinesSkeleton />
    </Page>
  );
}
