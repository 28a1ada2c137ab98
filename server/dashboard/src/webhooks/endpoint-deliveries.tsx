import { Group, Title } from '@mantine/core';
import type { Delivery, WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { DeliveryState } from '../deliveries/delivery-state.tsx';
import { arePending } from '../deliveries/pending.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Moment } from '../kit/moment.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';

const shownCount = 10;

/** The newest deliveries of an endpoint. New deliveries appear without a reload. */
export function EndpointDeliveries({ endpoint: { id: webhookId } }: { endpoint: WebhookEndpoint }): ReactNode {
  const mode = useMode();
  const query = { webhookId, limit: shownCount };
  const deliveries = useRead({
    key: ['deliveries', query],
    read: (tillhook, options) => tillhook.deliveries.list(query, options),
    isLive: true,
    isChanging: arePending,
  });
  return (
    <>
      <Group justify="space-between">
        <Title order={2}>Newest deliveries</Title>
        <AnchorLink to="/$mode/deliveries" params={{ mode }} search={{ webhookId }}>
          All deliveries of this endpoint
        </AnchorLink>
      </Group>
      <Loaded read={deliveries} skeleton={<TableSkeleton columns={columns} count={4} />}>
        {({ deliveries: rows }) =>
          rows.length > 0 ? (
            <DataTable label="Newest deliveries" columns={columns} rows={rows} keyOf={({ id }) => id} marksNew />
          ) : (
            <Empty title="Nothing was sent here yet">Send a test event: it appears here, with what came back.</Empty>
          )
        }
      </Loaded>
    </>
  );
}

const columns: Column<Delivery>[] = [
  { title: 'Event', cell: (delivery) => <DeliveryLink {...delivery} /> },
  { title: 'Status', isNarrow: true, cell: (delivery) => <DeliveryState {...delivery} /> },
  { title: 'Reference', cell: ({ reference }) => reference !== null && <bdi>{reference}</bdi> },
  { title: 'Attempts', isNumber: true, isNarrow: true, cell: ({ attemptCount }) => attemptCount },
  { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function DeliveryLink({ id, event, mode }: Delivery): ReactNode {
  return (
    <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
      {event}
    </AnchorLink>
  );
}
