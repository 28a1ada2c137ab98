import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';

/** Says who decides about a payment under review. */
export function WhoDecides({ reason }: { reason: string | null }): ReactNode {
  const mode = useMode();
  const { role } = useSession().user;
  if (role === 'operator') return 'You can decide it, as an operator of this service.';
  return mode === 'test' && isAboutReceived(reason)
    ? 'In test mode, an administrator or a developer of your team decides.'
    : 'The operator of this service decides.';
}

/** Other reviews are about money that went back to the customer. */
export function isAboutReceived(reason: string | null): boolean {
  return reason === 'amount_mismatch' || reason === 'paid_late' || reason === 'paid_twice';
}
