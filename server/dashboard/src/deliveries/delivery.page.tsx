import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function DeliveryPage(): ReactNode {
  return (
    <Page title="Delivery">
      <LinesSkeleton />
    </Page>
  );
}
