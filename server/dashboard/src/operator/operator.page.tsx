import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function OperatorPage(): ReactNode {
  return (
    <Page title="Operator">
      <LinesSkeleton />
    </Page>
  );
}
