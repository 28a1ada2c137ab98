import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function PaymentPage(): ReactNode {
  return (
    <Page title="Payment">
      <LinesSkeleton />
    </Page>
  );
}
