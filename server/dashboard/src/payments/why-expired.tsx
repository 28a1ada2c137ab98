import type { AuditEntry, Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';

/**
 * Explains why a payment is expired. The payment says whether it was cancelled, and the audit log says which person did it.
 * See docs/decisions/dashboard.md, "Which person cancelled a payment is read from the audit log".
 */
export function WhyExpired({ payment: { reference, cancelledBy } }: { payment: Payment }): ReactNode {
  const mode = useMode();
  const { data } = useRead({
    key: ['audit', 'cancelled', reference],
    read: (tillhook, options) => {
      return tillhook.auditEntries.list({ action: 'cancelCheckout', subject: reference, limit: 100 }, options);
    },
    isEnabled: cancelledBy !== null,
  });
  if (!cancelledBy) return 'It was not paid in time. It can no longer be paid.';
  if (!data) return 'It can no longer be paid.';
  const entry = data.auditEntries.find((one) => one.mode === mode);
  return <>{entry ? <CancelledBy {...entry} /> : 'A program cancelled it with a key.'} It can no longer be paid.</>;
}

function CancelledBy({ actor }: AuditEntry): ReactNode {
  return (
    <>
      <bdi>{actor.email ?? 'The operator of this service'}</bdi> cancelled it.
    </>
  );
}
