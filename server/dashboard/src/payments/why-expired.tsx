import type { AuditEntry } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';

interface WhyExpiredProps {
  reference: string;
  /** The reason in the event `checkout.expired`; undefined when the payment has no such event. */
  reason: string | undefined;
}

/**
 * Explains why a payment is expired. The event says whether it was cancelled, and the audit log says who cancelled it.
 * See docs/decisions/dashboard.md, "Who cancelled a payment is read from the audit log".
 */
export function WhyExpired({ reference, reason }: WhyExpiredProps): ReactNode {
  const mode = useMode();
  const { data } = useRead({
    key: ['audit', 'cancelled', reference],
    read: (tillhook, options) => {
      return tillhook.auditEntries.list({ action: 'cancelCheckout', subject: reference, limit: 100 }, options);
    },
    isEnabled: reason !== 'expired',
  });
  if (reason === 'expired') return 'It was not paid in time. It can no longer be paid.';
  if (!data) return 'It can no longer be paid.';
  const cancelled = data.auditEntries.find((entry) => entry.mode === mode);
  return <>{cancelled ? <CancelledBy {...cancelled} /> : withoutEntry(reason)} It can no longer be paid.</>;
}

function CancelledBy({ actor }: AuditEntry): ReactNode {
  return (
    <>
      <bdi>{actor.email ?? 'The operator of this service'}</bdi> cancelled it.
    </>
  );
}

/** A program that cancels with a key leaves no audit entry. */
function withoutEntry(reason: string | undefined): string {
  if (reason === 'cancelled') return 'A program cancelled it with a key.';
  return 'It was not paid in time, or a program cancelled it with a key.';
}
