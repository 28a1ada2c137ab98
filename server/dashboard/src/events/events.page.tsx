import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function EventsPage(): ReactNode {
  return (
    <Page title="Events">
      <LinesSkeleton />
    </Page>
  );
}
