import { Group } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { StatusBadge } from '../kit/status-badge.tsx';

interface PaymentStatusProps {
  payment: Payment;
  /** The payment's own page shows the amount of a partial refund, for which a phone needs a second line; lists do not. */
  hasAmount?: boolean;
}

/**
 * The status of a refunded payment stays completed, and a payment that was cancelled after a declined card stays
 * failed.
 * Choice: a payment that expired because it was cancelled shows only `cancelled`.
 */
export function PaymentStatus({ payment, hasAmount }: PaymentStatusProps): ReactNode {
  const { status, cancelledBy, reviewReason, amount, amountRefunded, currency } = payment;
  const isAll = amountRefunded >= amount;
  return (
    <Group gap={6} wrap={hasAmount ? 'wrap' : 'nowrap'} display="inline-flex">
      {(status !== 'expired' || !cancelledBy) && <StatusBadge status={status} />}
      {cancelledBy && <StatusBadge status="cancelled" />}
      {reviewReason !== null && <StatusBadge status="needs_review" />}
      {amountRefunded > 0 && (
        <StatusBadge status="refunded">
          {isAll ? 'Refunded' : 'Partially refunded'}
          {hasAmount && !isAll && `: ${formatAmount(amountRefunded, currency)}`}
        </StatusBadge>
      )}
    </Group>
  );
}
