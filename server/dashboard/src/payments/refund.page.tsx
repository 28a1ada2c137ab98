import { Navigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Loaded } from '../kit/loaded.tsx';
import { Page } from '../kit/page.tsx';

/**
 * Redirects to the page of the payment, which shows its refunds.
 * See docs/decisions/dashboard.md, "A refund is shown on the page of its payment".
 */
export function RefundPage(): ReactNode {
  const { reference } = useParams({ from: '/$mode/refunds/$reference' });
  const mode = useMode();
  const refund = useRead({
    key: ['refunds', reference],
    read: (tillhook, options) => tillhook.refunds.get(reference, options),
  });
  return (
    <Page title="Refund" windowTitle={`Refund ${reference}`}>
      <Loaded read={refund}>
        {({ paymentReference }) => (
          <Navigate to="/$mode/payments/$reference" params={{ mode, reference: paymentReference }} replace />
        )}
      </Loaded>
    </Page>
  );
}
