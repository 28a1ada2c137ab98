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

/** The status, and beside it whether the payment was refunded: a refunded payment stays completed. */
export function PaymentStatus({ payment, hasAmount }: PaymentStatusProps): ReactNode {
  const { status, amount, amountRefunded, currency } = payment;
  const isAll = amountRefunded >= amount;
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <StatusBadge status={status} />
      {amountRefunded > 0 && (
        <StatusBadge status="refunded">
          {isAll ? 'refunded' : 'partly refunded'}
          {hasAmount && !isAll && `: ${formatAmount(amountRefunded, currency)}`}
        </StatusBadge>
      )}
    </Group>
  );
}
