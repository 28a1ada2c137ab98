import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { DeliveryDetail } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { RecordLink } from '../events/record-link.tsx';
import { Columns } from '../kit/columns.tsx';
import { Copy } from '../kit/copy.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { JsonView } from '../kit/json-view.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote } from '../kit/may-call.tsx';
import { ComingMoment, ExactMoment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Section } from '../kit/section.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryBadge } from './delivery-state.tsx';
import { DeliverySummary } from './delivery-summary.tsx';
import { Headers } from './request-of-attempt.tsx';

export function DeliveryPage(): ReactNode {
  const { id } = useParams({ from: '/$mode/deliveries/$id' });
  const mode = useMode();
  const delivery = useRead({
    key: ['deliveries', id],
    read: (tillhook, options) => tillhook.deliveries.get(id, options),
    isLive: true,
    isChanging: ({ status }) => status === 'pending',
  });
  const event = delivery.data?.event;
  return (
    <Page
      title={event ? `Delivery of ${event}` : 'Delivery'}
      windowTitle={delivery.data && `${event} to ${shortAddress(delivery.data.url)}`}
      back={
        <AnchorLink to="/$mode/deliveries" params={{ mode }}>
          Deliveries
        </AnchorLink>
      }
      beside={delivery.data && <DeliveryBadge {...delivery.data} />}
    >
      <Loaded read={delivery}>{(value) => <Details key={value.id} delivery={value} />}</Loaded>
    </Page>
  );
}

function Details({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { request, attempts, url, status } = delivery;
  return (
    <Stack gap="md">
      <ReadOnlyNote what="resend a delivery" operations={['resendDelivery']} />
      <Columns
        main={
          <>
            <DeliverySummary delivery={delivery} />
            <Attempts
              attempts={attempts}
              address={url}
              isLatestExplained={status !== 'delivered'}
              body={request.body}
            />
            <Stack gap="sm">
              <JsonView title="Request body" what="request body" raw={request.body} isSection />
              {attempts.length === 0 ? (
                <>
                  <Text fw={600} size="sm">
                    Request headers
                  </Text>
                  <Headers headers={Object.entries(request.headers)} what="request headers" />
                  <Text size="xs" c="dimmed">
                    As it would be sent, without the signatures.
                  </Text>
                </>
              ) : (
                <Text size="xs" c="dimmed">
                  Every attempt sends this body.
                </Text>
              )}
            </Stack>
          </>
        }
        side={<DeliveryFields delivery={delivery} />}
      />
    </Stack>
  );
}

function DeliveryFields({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { id, eventId, webhookId, event, reference, url, mode, resentFrom, createdAt } = delivery;
  const { completedAt, nextAttemptAt } = delivery;
  return (
    <Section title="Details">
      <FieldList
        fields={[
          [
            'Endpoint',
            <AnchorLink key="endpoint" to="/$mode/webhooks/$id" params={{ mode, id: webhookId }}>
              {url}
            </AnchorLink>,
          ],
          [
            'Event',
            <AnchorLink key="event" to="/$mode/events/$id" params={{ mode, id: eventId }}>
              {event}
            </AnchorLink>,
          ],
          ['About', reference === null ? null : <RecordLink key="about" event={event} reference={reference} />],
          ['Created', <ExactMoment key="created" at={createdAt} />],
          ['Ended', completedAt === null ? null : <ExactMoment key="ended" at={completedAt} />],
          ['Next attempt', nextAttemptAt === null ? null : <ComingMoment key="next" at={nextAttemptAt} />],
          [
            'Resend of',
            resentFrom === null ? null : (
              <AnchorLink key="first" to="/$mode/deliveries/$id" params={{ mode, id: resentFrom }}>
                An earlier delivery
              </AnchorLink>
            ),
          ],
          ['Delivery ID', <Copy key="id" value={id} what="delivery ID" />],
          ['webhook-id', <Copy key="webhook-id" value={eventId} what="webhook-id" />],
        ]}
      />
    </Section>
  );
}
