import { Group } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { StatusBadge } from '../kit/status-badge.tsx';

interface PaymentStatusProps {
  payment: Payment;
  /** Whether a part that was refunded is shown as an amount, as on the page of the payment. */
  hasAmount?: boolean;
}

/**
 * The status, and beside it what became of the payment: a refunded payment stays completed, and one that was cancelled after
 * a declined card stays failed. Choice: an expired payment that was cancelled is only cancelled, because it was not left to
 * expire.
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
