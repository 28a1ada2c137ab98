import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function HomePage(): ReactNode {
  return (
    <Page title="Home">
      <LinesSkeleton />
    </Page>
  );
}
