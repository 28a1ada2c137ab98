import { Text } from '@mantine/core';
import type { Delivery } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Moment } from '../kit/moment.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';

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

const columns: Column<Delivery>[] = [
  { title: 'Event', cell: (delivery) => <DeliveryLink {...delivery} /> },
  { title: 'Status', isNarrow: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Endpoint', cell: ({ url }) => <bdi>{url}</bdi> },
  { title: 'Attempts', isNumber: true, isNarrow: true, cell: ({ attemptCount }) => attemptCount },
  { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function DeliveryLink({ id, event, mode, resentFrom }: Delivery): ReactNode {
  return (
    <>
      <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
        {event}
      </AnchorLink>
      {resentFrom !== null && ' (sent again)'}
    </>
  );
}
