import { Text } from '@mantine/core';
import type { Delivery } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { DataTable } from '../kit/data-table.tsx';
import { deliveryColumns } from './delivery-columns.tsx';

interface DeliveriesOfProps {
  deliveries: readonly Delivery[];
  /** Shown instead of the table when there are no deliveries. */
  children: ReactNode;
}

/** The deliveries of one payment or transfer, on its page. */
export function DeliveriesOf({ deliveries, children }: DeliveriesOfProps): ReactNode {
  if (deliveries.length > 0) {
    return <DataTable label="Deliveries" columns={columns} rows={deliveries} keyOf={({ id }) => id} />;
  }
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const { event, status, endpoint, attempts, created } = deliveryColumns;
const columns = [event, status, endpoint, attempts, created];
