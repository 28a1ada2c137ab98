import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function ProductsPage(): ReactNode {
  return (
    <Page title="Products">
      <LinesSkeleton />
    </Page>
  );
}
