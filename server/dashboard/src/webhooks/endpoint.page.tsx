import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function EndpointPage(): ReactNode {
  return (
    <Page title="Webhook endpoint">
      <LinesSkeleton />
    </Page>
  );
}
