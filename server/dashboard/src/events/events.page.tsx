import { Button, Group } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { Event } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { isBeingDelivered } from '../deliveries/delivery-status.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { choiceField, periodField, referenceField } from '../kit/filter-fields.ts';
import { Pause, Play } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { RecordList } from '../kit/record-list.tsx';
import { DeliveryCounts } from './delivery-counts.tsx';
import { eventNames } from './event-names.ts';

export function EventsPage(): ReactNode {
  const { page = 1, order, columns: _columns, ...filters } = useSearch({ from: '/$mode/events' });
  const mode = useMode();
  const query = { ...withTimes(filters), ...(order && { order }), ...paged({ page }) };
  const events = useRead({
    key: ['events', query],
    read: (tillhook, options) => tillhook.events.list(query, options),
    isLive: true,
    isChanging: ({ events: rows }) => rows.some(isBeingDelivered),
    keepsPrevious: true,
  });
  const pausing = usePause(events.data, JSON.stringify([mode, query]));
  return (
    <Page
      title="Events"
      about={`All events, newest first, including those not sent to any endpoint. ${pausing.isPaused ? 'Paused. New events appear when you resume.' : 'New events appear automatically.'}`}
      actions={<PauseButtons {...pausing} />}
      isWide
    >
      <RecordList
        name="events"
        label="Events"
        read={events}
        listOf={(newest) => {
          const { events: rows, total } = pausing.shown ?? newest;
          return { rows, total };
        }}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        search={{ label: 'Search events', placeholder: 'Reference, customer, recipient or amount' }}
        filters={{ fields, chosen: filters, noMatch: 'No events match' }}
        empty={<NoEvents />}
      />
    </Page>
  );
}

type Pausing = Pick<ReturnType<typeof usePause>, 'isPaused' | 'newCount' | 'pause' | 'resume' | 'catchUp'>;

function PauseButtons({ isPaused, newCount, pause, resume, catchUp }: Pausing): ReactNode {
  return (
    <Group gap="xs">
      <span role="status">
        {newCount > 0 && (
          <Button size="xs" variant="light" onClick={catchUp}>
            {`${newCount} new`}
          </Button>
        )}
      </span>
      <Button
        size="xs"
        variant="default"
        leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        onClick={isPaused ? resume : pause}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </Group>
  );
}

function NoEvents(): ReactNode {
  const mode = useMode();
  return (
    <Empty title="No events yet">
      An event is created when a payment, a refund or a transfer ends. Create a checkout link on the{' '}
      <AnchorLink to="/$mode/payments" params={{ mode }}>
        Payments
      </AnchorLink>{' '}
      page and pay it, or send a test event to one of your{' '}
      <AnchorLink to="/$mode/webhooks" params={{ mode }}>
        endpoints
      </AnchorLink>
      .
    </Empty>
  );
}

const columns: Column<Event>[] = [
  { title: 'Event', onPhone: 'lead', cell: (event) => <EventLink {...event} /> },
  {
    title: 'Reference',
    name: 'reference',
    onPhone: 'who',
    cell: ({ reference }) => reference !== null && <bdi>{reference}</bdi>,
  },
  {
    title: 'Deliveries',
    name: 'deliveries',
    onPhone: 'state',
    cell: ({ deliveries }) => <DeliveryCounts counts={deliveries} />,
  },
  {
    title: 'Created',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ timestamp }) => <Moment at={timestamp} />,
  },
];

function EventLink({ id, event, mode }: Event): ReactNode {
  return (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }}>
      {event}
    </AnchorLink>
  );
}

const fields = [
  periodField('Created'),
  choiceField(
    'event',
    'Event',
    eventNames.map((name) => ({ value: name, label: name })),
  ),
  referenceField('order-1042'),
];

interface Listed {
  total: number;
}

interface Paused<List> {
  /** The newest list, or during a pause the list as it was when the pause began. */
  shown: List | undefined;
  isPaused: boolean;
  newCount: number;
  pause: () => void;
  resume: () => void;
  /** Shows the newest list, but does not end the pause. */
  catchUp: () => void;
}

/**
 * During a pause the page still requests the list, so that it can show how many records were added. The pause ends when
 * `key` changes, because the user has changed the filters.
 */
export function usePause<List extends Listed>(newest: List | undefined, key: string): Paused<List> {
  const [kept, setKept] = useState<{ key: string; list: List } | null>(null);
  const isPaused = kept?.key === key;
  const keep = () => newest && setKept({ key, list: newest });
  return {
    shown: isPaused ? kept.list : newest,
    isPaused,
    // The service deletes old events, so the total can also fall.
    newCount: isPaused && newest ? Math.max(0, newest.total - kept.list.total) : 0,
    pause: keep,
    resume: () => setKept(null),
    catchUp: keep,
  };
}
