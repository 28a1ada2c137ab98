import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Delivery, WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { eventNames } from '../events/event-names.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { momentFields, referenceField } from '../kit/filter-fields.ts';
import { type FilterField, Filters } from '../kit/filters.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote } from '../kit/may-change.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { ReplayButton } from '../webhooks/replay-button.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { useEndpoints } from '../webhooks/use-endpoints.ts';
import { deliveryStatuses } from './delivery-filters.ts';
import { DeliveryState } from './delivery-state.tsx';

/** What was sent to the endpoints, newest first. New rows come by themselves. */
export function DeliveriesPage(): ReactNode {
  const { page = 1, ...filters } = useSearch({ from: '/$mode/deliveries' });
  const navigate = useNavigate({ from: '/$mode/deliveries' });
  const endpoints = useEndpoints();
  const query = { ...filters, ...paged({ page }) };
  const deliveries = useRead({
    key: ['deliveries', query],
    read: (tillhook, options) => tillhook.deliveries.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Deliveries"
      about="What was sent to your endpoints, newest first. New rows appear by themselves."
      actions={<ReplayButton chosen={filters.webhookId} />}
    >
      <ReadOnlyNote what="send one again" />
      <Filters
        fields={fieldsWith(endpoints.data?.webhooks ?? [])}
        chosen={filters}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
      <Loaded read={deliveries}>
        {({ deliveries: rows, total }) =>
          rows.length === 0 ? (
            <NoDeliveries isFiltered={isFiltered} />
          ) : (
            <>
              <DataTable label="Deliveries" columns={columns} rows={rows} keyOf={({ id }) => id} marksNew />
              <Pager
                page={page}
                total={total}
                onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }): ReactNode {
  const mode = useMode();
  if (isFiltered) return <Empty title="No delivery matches">Change or clear the filters above.</Empty>;
  return (
    <Empty title="Nothing was sent yet">
      Events go to the endpoints that you add on the page{' '}
      <AnchorLink to="/$mode/webhooks" params={{ mode }}>
        Webhooks
      </AnchorLink>
      . Add one and send it a test event: it appears here.
    </Empty>
  );
}

const columns: Column<Delivery>[] = [
  { title: 'Event', cell: (delivery) => <DeliveryLink {...delivery} /> },
  { title: 'Status', isNarrow: true, cell: (delivery) => <DeliveryState {...delivery} /> },
  { title: 'Reference', cell: ({ reference }) => reference !== null && <bdi>{reference}</bdi> },
  { title: 'Endpoint', cell: ({ url }) => shortAddress(url) },
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

function fieldsWith(endpoints: readonly WebhookEndpoint[]): FilterField[] {
  return [
    { name: 'status', label: 'Status', kind: 'choice', options: deliveryStatuses.map(choice) },
    { name: 'event', label: 'Event', kind: 'choice', options: eventNames.map(choice) },
    {
      name: 'webhookId',
      label: 'Endpoint',
      kind: 'choice',
      options: endpoints.map(({ id, url }) => ({ value: id, label: shortAddress(url) })),
    },
    referenceField('order-1042'),
    ...momentFields,
  ];
}

function choice(value: string): { value: string; label: string } {
  return { value, label: value };
}
