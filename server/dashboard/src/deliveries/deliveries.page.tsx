import { useSearch } from '@tanstack/react-router';
import type { Delivery, DeliveryList, WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { eventNames } from '../events/event-names.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { choiceField, createdField, referenceField } from '../kit/filter-fields.ts';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { ReadOnlyNote } from '../kit/may-call.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { RecordList } from '../kit/record-list.tsx';
import { ReplayButton } from '../webhooks/replay-button.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { useEndpoints } from '../webhooks/use-endpoints.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryStates } from './delivery-states.ts';
import { arePending } from './delivery-status.ts';

export function DeliveriesPage(): ReactNode {
  const { page = 1, order, columns: _columns, status, ...filters } = useSearch({ from: '/$mode/deliveries' });
  const endpoints = useEndpoints();
  const matching = { ...withTimes(filters), ...(status && deliveryStates[status].query) };
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const deliveries = useRead({
    key: ['deliveries', query],
    read: (tillhook, options) => tillhook.deliveries.list(query, options),
    isLive: true,
    isChanging: arePending,
    keepsPrevious: true,
  });
  return (
    <Page
      title="Deliveries"
      about="Webhooks sent to your endpoints, newest first. New rows appear automatically."
      actions={<ReplayButton chosen={filters.webhookId} />}
      isWide
    >
      <ReadOnlyNote what="resend a delivery" operations={['resendDelivery', 'replayDeliveries']} />
      <RecordList
        name="deliveries"
        label="Deliveries"
        read={deliveries}
        listOf={({ deliveries: rows, total }: DeliveryList) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        tabs={{ label: 'Status', name: 'status', all: tabs, chosen: status }}
        search={{ label: 'Search deliveries', placeholder: 'Reference, customer, recipient or amount' }}
        filters={{
          fields: fieldsWith(endpoints.data?.webhooks ?? []),
          chosen: filters,
          noMatch: 'No deliveries match',
        }}
        csv={{ file: 'deliveries', read: (tillhook) => tillhook.deliveries.list(matching).csv() }}
        empty={<NoDeliveries />}
      />
    </Page>
  );
}

function NoDeliveries(): ReactNode {
  const mode = useMode();
  return (
    <Empty title="No deliveries yet">
      Events are sent to the endpoints that you add on the{' '}
      <AnchorLink to="/$mode/webhooks" params={{ mode }}>
        Webhooks
      </AnchorLink>{' '}
      page. Add one and send it a test event to see it here.
    </Empty>
  );
}

const { event, state, reference, endpoint, attempts, created } = deliveryColumns;
const columns: Column<Delivery>[] = [
  { ...event, onPhone: 'lead' },
  { ...state, onPhone: 'state' },
  { ...reference, name: 'reference' },
  { ...endpoint, name: 'endpoint', onPhone: 'who' },
  { ...attempts, name: 'attempts' },
  { ...created, isSorted: true, onPhone: 'when' },
];

const tabs = tabsOf(deliveryStates);

function fieldsWith(endpoints: readonly WebhookEndpoint[]) {
  const addresses = endpoints.map(({ id, url }) => ({ value: id, label: shortAddress(url) }));
  return [
    createdField,
    choiceField('event', 'Event', eventNames.map(named)),
    choiceField('webhookId', 'Endpoint', addresses),
    referenceField('order-1042'),
  ];
}

const named = (name: string) => ({ value: name, label: name });
