import { Group, Title } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { arePending } from '../deliveries/pending.ts';
import { DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
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

const { event, status, reference, attempts, created } = deliveryColumns;
const columns = [event, status, reference, attempts, created];
