import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense, useState } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { lazily } from '../app/load-script.tsx';
import { useReceiverCommand } from '../app/use-tillhook.ts';
import { failedOf } from '../deliveries/tried-words.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { Plus } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { HealthStrip } from './health-strip.tsx';
import { shortAddress } from './short-address.ts';
import { useEndpoints } from './use-endpoints.ts';
import { type EndpointHealth, sumOf, useHealth } from './use-health.ts';

const CreateDialog = lazily(async () => (await import('./create-endpoint-dialog.tsx')).CreateEndpointDialog);

const maxEndpoints = 16;

export function WebhooksPage(): ReactNode {
  const [isAdding, { open, close }] = useDisclosure();
  useAsked('endpoint', open);
  const [wasAdding, setWasAdding] = useState(false);
  if (isAdding && !wasAdding) setWasAdding(true);
  const mayChange = useMayCall('registerWebhookEndpoint');
  const receiverCommand = useReceiverCommand();
  const endpoints = useEndpoints({ isLive: true });
  const health = useHealth();
  const isFull = (endpoints.data?.total ?? 0) >= maxEndpoints;
  const add = mayChange && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open} disabled={isFull}>
      Add endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      about={
        isFull
          ? `You have ${maxEndpoints} endpoints, the maximum in each mode. Remove one before you add another.`
          : 'The addresses of your receivers. Each endpoint receives signed webhooks for the events it subscribes to.'
      }
      actions={endpoints.data && endpoints.data.total > 0 && add}
      isWide
    >
      <ReadOnlyNote what="add or change an endpoint" operations={['registerWebhookEndpoint']} />
      <Loaded read={endpoints} skeleton={<TableSkeleton columns={columnsWith(health)} count={2} isOneLine />}>
        {({ webhooks }) =>
          webhooks.length > 0 ? (
            <DataTable
              label="Webhook endpoints"
              columns={columnsWith(health)}
              rows={webhooks}
              keyOf={({ id }) => id}
              isOneLine
            />
          ) : (
            <Empty title="No endpoints yet">
              <p>
                An endpoint is the address where your program receives events, such as a payment. If you do not have a
                receiver yet, run <code>{receiverCommand}</code>. It prints the address to add here.
              </p>
              {add}
            </Empty>
          )
        }
      </Loaded>
      {wasAdding && (
        <Suspense>
          <CreateDialog isOpen={isAdding} onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}

function columnsWith(health: ReturnType<typeof useHealth>): Column<WebhookEndpoint>[] {
  return [
    { title: 'Address', onPhone: 'lead', cell: (endpoint) => <EndpointLink {...endpoint} /> },
    {
      title: 'Status',
      isNarrow: true,
      onPhone: 'state',
      cell: (endpoint) => <EndpointStatus endpoint={endpoint} isFailing={health?.get(endpoint.id)?.isFailing} />,
    },
    {
      title: 'Last 24 hours',
      isNarrow: true,
      onPhone: 'who',
      cell: ({ id }) => <HealthStrip health={health?.get(id)} />,
    },
    { title: 'Attempts', isNarrow: true, onPhone: 'when', cell: ({ id }) => <Tried health={health?.get(id)} /> },
    { title: 'Events', cell: ({ events }) => (events === '*' ? 'All events' : events.replaceAll(',', ', ')) },
    {
      title: 'Last delivered',
      isNarrow: true,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'Never' : <Moment at={lastDeliveredAt} />),
    },
  ];
}

function Tried({ health }: { health: EndpointHealth | undefined }): ReactNode {
  if (!health) return null;
  const sum = sumOf(health.hours);
  return sum.attempts === 0 ? 'None' : failedOf(sum);
}

function EndpointLink({ id, url, mode }: WebhookEndpoint): ReactNode {
  return (
    <AnchorLink to="/$mode/webhooks/$id" params={{ mode, id }} dir="ltr">
      {shortAddress(url)}
    </AnchorLink>
  );
}
