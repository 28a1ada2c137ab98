import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function PaymentsPage(): ReactNode {
  return (
    <Page title="Payments">
      <LinesSkeleton />
    </Page>
  );
}
