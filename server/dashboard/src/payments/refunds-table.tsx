import { Group, Text } from '@mantine/core';
import type { Refund } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { CsvButton } from '../kit/csv-button.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';

interface RefundsTableProps {
  paymentReference: string;
  /** Only the newest refunds of the payment, in the order of their creation. */
  refunds: readonly Refund[];
  /** The number of all refunds of the payment. */
  total: number;
}

/** When the payment has more refunds than the table shows, a CSV file with all refunds is offered. */
export function RefundsTable({ paymentReference, refunds, total }: RefundsTableProps): ReactNode {
  return (
    <>
      <DataTable label="Refunds" columns={columns} rows={refunds} keyOf={({ id }) => id} marksNew />
      {total > refunds.length && (
        <Group justify="space-between" mt="sm">
          <Text size="sm" c="dimmed">
            Only the latest {refunds.length} of {total} refunds are shown. The export has all of them.
          </Text>
          <CsvButton file="refunds" read={(tillhook) => tillhook.refunds.list({ paymentReference }).csv()} />
        </Group>
      )}
    </>
  );
}

const columns: Column<Refund>[] = [
  { title: 'Reference', onPhone: 'who', cell: (refund) => <Reference {...refund} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (refund) => <Money {...refund} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Reason', cell: ({ reason }) => reason && <bdi>{reason}</bdi> },
  { title: 'Created', isNarrow: true, onPhone: 'when', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function Reference({ reference, origin }: Refund): ReactNode {
  return (
    <>
      <bdi>{reference}</bdi>
      {origin === 'processor' && (
        <Text component="span" display="block" size="xs" c="dimmed">
          Made at the payment processor
        </Text>
      )}
    </>
  );
}
