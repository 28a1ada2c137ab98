import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Transfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { choiceField, momentFields, referenceField } from '../kit/filter-fields.ts';
import { Send } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { NewTransfer } from './new-transfer.tsx';
import { transferStatuses } from './transfer-filters.ts';

export function TransfersPage(): ReactNode {
  const { page = 1, ...filters } = useSearch({ from: '/$mode/transfers' });
  const [isCreating, { open, close }] = useDisclosure();
  useAsked('transfer', open);
  const query = { ...filters, ...paged({ page }) };
  const transfers = useRead({
    key: ['transfers', query],
    read: (tillhook, options) => tillhook.transfers.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const create = useMayCall('createTransfer') && (
    <Button leftSection={<Send size={16} aria-hidden />} onClick={open}>
      Send money
    </Button>
  );
  return (
    <Page
      title="Transfers"
      about={<ReadOnlyNote what="send money" operations={['createTransfer']} />}
      actions={
        <>
          <CsvButton file="transfers" read={(tillhook) => tillhook.transfers.list(filters).csv()} />
          {create}
        </>
      }
    >
      <RecordList
        label="Transfers"
        read={transfers}
        listOf={({ transfers: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        filters={{ fields, chosen: filters, noMatch: 'No transfer matches' }}
        empty={
          <Empty title="No money was sent yet">
            A transfer sends money from your Transfer wallet to a bank account. Send the first one with the button
            above, or from your server with <code>transfers.create</code>.
          </Empty>
        }
      />
      <NewTransfer isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const fields = [choiceField('status', 'Status', transferStatuses), referenceField('payout-77'), ...momentFields];

const columns: Column<Transfer>[] = [
  { title: 'Reference', cell: (transfer) => <TransferLink {...transfer} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, cell: (transfer) => <Money {...transfer} /> },
  {
    title: 'Fee',
    isNumber: true,
    isNarrow: true,
    cell: ({ fee, currency }) => <Money {...{ amount: fee, currency }} />,
  },
  { title: 'Status', isNarrow: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Recipient', cell: ({ recipient }) => <bdi>{recipient.name}</bdi> },
  { title: 'Account', isNarrow: true, cell: ({ recipient }) => `•••• ${recipient.accountNumberLast4}` },
  { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function TransferLink({ reference, mode }: Transfer): ReactNode {
  return (
    <AnchorLink to="/$mode/transfers/$reference" params={{ mode, reference }}>
      {reference}
    </AnchorLink>
  );
}
