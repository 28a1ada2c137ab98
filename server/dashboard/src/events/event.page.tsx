import { Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Delivery, Event } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { arePending, isBeingDelivered } from '../deliveries/delivery-status.ts';
import { Columns } from '../kit/columns.tsx';
import { Copy } from '../kit/copy.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { JsonView } from '../kit/json-view.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Section } from '../kit/section.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { DeliveryCounts } from './delivery-counts.tsx';
import { RecordLink } from './record-link.tsx';

export function EventPage(): ReactNode {
  const { id } = useParams({ from: '/$mode/events/$id' });
  const mode = useMode();
  const event = useRead({
    key: ['events', id],
    read: (tillhook, options) => tillhook.events.get(id, options),
    isLive: true,
    isChanging: isBeingDelivered,
  });
  return (
    <Page
      title={event.data?.event ?? 'Event'}
      back={
        <AnchorLink to="/$mode/events" params={{ mode }}>
          Events
        </AnchorLink>
      }
    >
      <Loaded read={event}>{(value) => <Columns main={<Main event={value} />} side={<Side event={value} />} />}</Loaded>
    </Page>
  );
}

function Main({ event }: { event: Event }): ReactNode {
  const query = { eventId: event.id, limit: 100 };
  const deliveries = useRead({
    key: ['deliveries', query],
    read: (tillhook, options) => tillhook.deliveries.list(query, options),
    isLive: true,
    isChanging: arePending,
  });
  return (
    <>
      <Stack gap="sm">
        <Title order={2}>Deliveries</Title>
        <Loaded read={deliveries} skeleton={<TableSkeleton columns={columns} count={1} />}>
          {({ deliveries: rows }) =>
            rows.length > 0 ? (
              <DataTable
                label="Deliveries of this event"
                columns={columns}
                rows={rows}
                keyOf={(row) => row.id}
                marksNew
              />
            ) : (
              <Empty title="Not sent to any endpoint">No endpoint was subscribed to {event.event} at that time.</Empty>
            )
          }
        </Loaded>
      </Stack>
      <Payload event={event} delivery={deliveries.data?.deliveries.at(-1)} />
    </>
  );
}

function Side({ event }: { event: Event }): ReactNode {
  const { id, event: name, reference, timestamp, deliveries: counts } = event;
  return (
    <Section title="Details">
      <FieldList
        fields={[
          ['About', reference === null ? null : <RecordLink key="about" event={name} reference={reference} />],
          ['Created', <ExactMoment key="happened" at={timestamp} />],
          ['Deliveries', <DeliveryCounts key="counts" counts={counts} />],
          ['Event ID (webhook-id)', <Copy key="id" value={id} what="event ID" />],
        ]}
      />
    </Section>
  );
}

/** An event without deliveries is shown with the body that a delivery would have had. */
function Payload({ event, delivery }: { event: Event; delivery: Delivery | undefined }): ReactNode {
  const id = delivery?.id ?? '';
  const sent = useRead({
    key: ['deliveries', id],
    read: (tillhook, options) => tillhook.deliveries.get(id, options),
    isEnabled: delivery !== undefined,
  });
  const { event: name, data, timestamp } = event;
  const body = sent.data?.request.body;
  return (
    <Stack gap="sm">
      <JsonView
        title="Payload"
        what="payload"
        raw={body ?? JSON.stringify({ event: name, data, timestamp })}
        isSection
      />
      <Text size="xs" c="dimmed">
        {body === undefined || delivery === undefined ? (
          'The body of a delivery also contains webhookId, the ID of the endpoint.'
        ) : (
          <>
            As it is sent to <bdi>{shortAddress(delivery.url)}</bdi>. For another endpoint only webhookId differs.
          </>
        )}
      </Text>
    </Stack>
  );
}

const { linkedEndpoint, status, attempts, nextAttempt, created } = deliveryColumns;
const columns = [linkedEndpoint, status, attempts, nextAttempt, created];
