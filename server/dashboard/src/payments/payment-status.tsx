import { Group } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { StatusBadge } from '../kit/status-badge.tsx';

interface PaymentStatusProps {
  payment: Payment;
  /** Whether the amount of a partial refund is shown. The payment's own page shows it, and lists do not. */
  hasAmount?: boolean;
}

/**
 * Shows the status, and beside it whether the payment was refunded or cancelled. The status of a refunded payment
 * stays completed, and the status of a payment that was cancelled after a declined card stays failed.
 * Choice: a payment that ended as `expired` because it was cancelled shows only `cancelled`, because the checkout had
 * not yet expired by time.
 */
export function PaymentStatus({ payment, hasAmount }: PaymentStatusProps): ReactNode {
  const { status, cancelledBy, amount, amountRefunded, currency } = payment;
  const isAll = amountRefunded >= amount;
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      {(status !== 'expired' || !cancelledBy) && <StatusBadge status={status} />}
      {cancelledBy && <StatusBadge status="cancelled" />}
      {amountRefunded > 0 && (
        <StatusBadge status="refunded">
          {isAll ? 'refunded' : 'partly refunded'}
          {hasAmount && !isAll && `: ${formatAmount(amountRefunded, currency)}`}
        </StatusBadge>
      )}
    </Group>
  );
}
