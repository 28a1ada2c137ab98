import { Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Event, Transfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { EntriesTable, entryColumns } from '../balances/entries-table.tsx';
import { DeliveryCounts } from '../events/delivery-counts.tsx';
import { recordOf } from '../events/event-names.ts';
import { Copy } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { MetadataOf } from '../kit/metadata-of.tsx';
import { ExactMoment, Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';

export function TransferPage(): ReactNode {
  const { reference } = useParams({ from: '/$mode/transfers/$reference' });
  const transfer = useRead({
    key: ['transfers', reference],
    read: (tillhook, options) => tillhook.transfers.get(reference, options),
    isLive: true,
  });
  return (
    <Page title="Transfer" windowTitle={`Transfer ${reference}`} back={<Back />}>
      <Loaded read={transfer}>{(found) => <Details transfer={found} />}</Loaded>
    </Page>
  );
}

function Back(): ReactNode {
  return (
    <AnchorLink to="/$mode/transfers" params={{ mode: useMode() }}>
      Transfers
    </AnchorLink>
  );
}

function Details({ transfer }: { transfer: Transfer }): ReactNode {
  return (
    <>
      <Group gap="sm" align="center">
        <Text size="2rem" fw={600} lh={1.2}>
          <Money {...transfer} />
        </Text>
        <Text c="dimmed">{transfer.currency}</Text>
        <StatusBadge status={transfer.status} />
      </Group>
      <Text size="sm">{meaningOf(transfer)}</Text>
      <Section title="Details">
        <FieldList fields={fieldsOf(transfer)} />
      </Section>
      <Movements transfer={transfer} />
      <Section title="Metadata">
        <MetadataOf metadata={transfer.metadata} />
      </Section>
    </>
  );
}

function meaningOf({ status, mode }: Transfer): string {
  return (mode === 'live' && liveMeanings[status]) || meanings[status];
}

const meanings: Record<Transfer['status'], string> = {
  pending: 'Its money is set aside, and the bank will be asked next.',
  processing: 'The bank is deciding. Its money is set aside until then.',
  completed: 'The recipient’s bank has taken the money.',
  failed: 'The bank refused it. Amount and fee came back to your Transfer wallet.',
  reversed: 'The recipient’s bank sent the money back. The amount is in your Transfer wallet again; the fee is not.',
};

/** In live mode an operator sends the money and then enters the result. */
const liveMeanings: Partial<typeof meanings> = {
  pending: 'Its money is set aside. The operator of this service will send it.',
  processing:
    'The operator of this service sends it, and says here whether it has arrived. Its money is set aside until then.',
  failed: 'It could not be sent. Amount and fee came back to your Transfer wallet.',
};

function Movements({ transfer: { reference, currency } }: { transfer: Transfer }): ReactNode {
  const query = { reference, currency, limit: 100 };
  const entries = useRead({
    key: ['transfers', reference, 'entries'],
    read: (tillhook, options) => tillhook.wallets.listEntries('transfer', query, options),
    isLive: true,
  });
  const events = useRead({
    key: ['transfers', reference, 'events'],
    read: (tillhook, options) => tillhook.events.list({ reference, limit: 100 }, options),
    isLive: true,
  });
  return (
    <>
      <Section title="In your Transfer wallet">
        <Loaded read={entries} skeleton={<TableSkeleton columns={entryColumns} count={2} />}>
          {({ entries: rows }) => <EntriesTable label="Ledger entries" entries={rows} />}
        </Loaded>
      </Section>
      <Section title="Events">
        <Loaded read={events} skeleton={<LinesSkeleton lines={2} />}>
          {({ events: rows }) => (
            <EventsOf events={rows.filter(({ event }) => recordOf(event) === 'transfer')}>
              None yet. The event transfer.success or transfer.failed comes when the transfer has ended.
            </EventsOf>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function fieldsOf({ recipient, narration, fee, currency, ...transfer }: Transfer): Field[] {
  const reason = transfer.failureReason ?? transfer.failureCode;
  return [
    ['Reference', <Copy key="reference" value={transfer.reference} what="reference" />],
    ['Id', <Copy key="id" value={transfer.id} what="id" />],
    ['Fee', <Money key="fee" amount={fee} currency={currency} />],
    ['Recipient', <bdi key="recipient">{recipient.name}</bdi>],
    ['Account', `•••• ${recipient.accountNumberLast4}, bank ${recipient.bankCode}`],
    ['Narration', narration && <bdi key="narration">{narration}</bdi>],
    ['Why it failed', reason && `${reason}${transfer.failureCode ? ` (${transfer.failureCode})` : ''}`],
    ['Created', <ExactMoment key="created" at={transfer.createdAt} />],
    ['Completed', transfer.completedAt && <ExactMoment key="completed" at={transfer.completedAt} />],
  ];
}

interface EventsOfProps {
  events: readonly Event[];
  children: ReactNode;
}

export function EventsOf({ events, children }: EventsOfProps): ReactNode {
  if (events.length > 0) {
    return <DataTable label="Events" columns={eventColumns} rows={events} keyOf={({ id }) => id} />;
  }
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const eventColumns: Column<Event>[] = [
  { title: 'Event', cell: (event) => <EventLink {...event} /> },
  { title: 'Deliveries', isNarrow: true, cell: ({ deliveries }) => <DeliveryCounts counts={deliveries} /> },
  { title: 'When', isNarrow: true, cell: ({ timestamp }) => <Moment at={timestamp} /> },
];

function EventLink({ id, event, mode }: Event): ReactNode {
  return (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }}>
      {event}
    </AnchorLink>
  );
}
