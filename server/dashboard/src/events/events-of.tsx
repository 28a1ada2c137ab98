import { Text } from '@mantine/core';
import type { Event } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Moment } from '../kit/moment.tsx';

interface EventsOfProps {
  events: readonly Event[];
  /** Shown instead of the table when there are no events. */
  children: ReactNode;
}

/** The events of one payment or transfer, on its page. */
export function EventsOf({ events, children }: EventsOfProps): ReactNode {
  if (events.length > 0) {
    return <DataTable label="Events" columns={columns} rows={events} keyOf={({ id }) => id} />;
  }
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const columns: Column<Event>[] = [
  { title: 'Event', cell: (event) => <EventLink {...event} /> },
  { title: 'Delivered', isNumber: true, isNarrow: true, cell: ({ deliveries }) => deliveries.delivered },
  { title: 'Not delivered yet', isNumber: true, isNarrow: true, cell: ({ deliveries }) => deliveries.pending },
  { title: 'Failed', isNumber: true, isNarrow: true, cell: ({ deliveries }) => deliveries.failed },
  { title: 'When', isNarrow: true, cell: ({ timestamp }) => <Moment at={timestamp} /> },
];

function EventLink({ id, event, mode }: Event): ReactNode {
  return (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }}>
      {event}
    </AnchorLink>
  );
}
