import type { PaymentLink } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { StatusBadge } from '../kit/status-badge.tsx';

/** A status that a newer service adds is shown by its name. */
const words: Record<string, string> = {
  active: 'Active',
  stopped: 'Stopped',
  expired: 'Expired',
  limit_reached: 'Limit reached',
};

export function LinkStatus({ link: { status } }: { link: PaymentLink }): ReactNode {
  return <StatusBadge status={status}>{words[status] ?? status}</StatusBadge>;
}
