import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function EventPage(): ReactNode {
  return (
    <Page title="Event">
      <LinesSkeleton />
    </Page>
  );
}
