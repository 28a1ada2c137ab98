import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';

export function WebhooksPage(): ReactNode {
  return (
    <Page title="Webhooks">
      <LinesSkeleton />
    </Page>
  );
}
