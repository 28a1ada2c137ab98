import type { AuditEntry } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';

/**
 * Explains why a payment is expired. The payment does not show whether it was cancelled, but the audit log does when
 * a person cancelled it.
 * See docs/decisions/dashboard.md, "Who cancelled a payment is read from the audit log".
 */
export function WhyExpired({ reference }: { reference: string }): ReactNode {
  const mode = useMode();
  const { data } = useRead({
    key: ['audit', 'cancelled', reference],
    read: (tillhook, options) => {
      return tillhook.auditEntries.list({ action: 'cancelCheckout', subject: reference, limit: 100 }, options);
    },
  });
  if (!data) return 'It can no longer be paid.';
  const cancelled = data.auditEntries.find((entry) => entry.mode === mode);
  return (
    <>
      {cancelled ? <CancelledBy {...cancelled} /> : 'It was not paid in time, or a program cancelled it with a key.'} It
      can no longer be paid.
    </>
  );
}

function CancelledBy({ actor }: AuditEntry): ReactNode {
  return (
    <>
      <bdi>{actor.email ?? 'The operator of this service'}</bdi> cancelled it.
    </>
  );
}
