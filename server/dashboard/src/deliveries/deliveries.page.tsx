import { useSearch } from '@tanstack/react-router';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { eventNames } from '../events/event-names.ts';
import { Empty } from '../kit/empty.tsx';
import { choiceField, momentFields, referenceField } from '../kit/filter-fields.ts';
import type { FilterField } from '../kit/filters.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ReadOnlyNote } from '../kit/may-call.tsx';
import { Page } from '../kit/page.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { ReplayButton } from '../webhooks/replay-button.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { useEndpoints } from '../webhooks/use-endpoints.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryStates, stateNames } from './delivery-states.ts';
import { arePending } from './delivery-status.ts';

export function DeliveriesPage(): ReactNode {
  const { page = 1, ...filters } = useSearch({ from: '/$mode/deliveries' });
  const endpoints = useEndpoints();
  const { status, ...others } = filters;
  const query = { ...others, ...(status && deliveryStates[status].query), ...paged({ page }) };
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
      about="What was sent to your endpoints, newest first. New rows appear by themselves."
      actions={<ReplayButton chosen={filters.webhookId} />}
    >
      <ReadOnlyNote what="send one again" operations={['resendDelivery', 'replayDeliveries']} />
      <RecordList
        label="Deliveries"
        read={deliveries}
        listOf={({ deliveries: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        filters={{
          fields: fieldsWith(endpoints.data?.webhooks ?? []),
          chosen: filters,
          noMatch: 'No delivery matches',
        }}
        empty={<NoDeliveries />}
      />
    </Page>
  );
}

function NoDeliveries(): ReactNode {
  const mode = useMode();
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

const { event, status, reference, endpoint, attempts, created } = deliveryColumns;
const columns = [event, status, reference, endpoint, attempts, created];

function fieldsWith(endpoints: readonly WebhookEndpoint[]) {
  const endpointField: FilterField<'webhookId'> = {
    name: 'webhookId',
    label: 'Endpoint',
    kind: 'choice',
    options: endpoints.map(({ id, url }) => ({ value: id, label: shortAddress(url) })),
  };
  return [
    choiceField('status', 'Status', stateNames),
    choiceField('event', 'Event', eventNames),
    endpointField,
    referenceField('order-1042'),
    ...momentFields,
  ];
}
