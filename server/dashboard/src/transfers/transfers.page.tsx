import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Transfer, TransferList } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useAsked } from '../app/asked-act.ts';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { createdField, referenceField } from '../kit/filter-fields.ts';
import { FormButton } from '../kit/form-button.tsx';
import { Send } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { isEmptyList, RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { NewTransfer } from './new-transfer.tsx';
import { transferStates } from './transfer-filters.ts';

export function TransfersPage(): ReactNode {
  const { page = 1, order, columns: _columns, status, ...filters } = useSearch({ from: '/$mode/transfers' });
  const [isCreating, { open, close }] = useDisclosure();
  useAsked('transfer', open);
  const matching = { ...withTimes(filters), ...(status && { status: [status] }) };
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const transfers = useRead({
    key: ['transfers', query],
    read: (tillhook, options) => tillhook.transfers.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const create = useMayCall('createTransfer') && (
    <FormButton needs="payout_processor" leftSection={<Send size={16} aria-hidden />} onClick={open}>
      Send money
    </FormButton>
  );
  const list = {
    read: transfers,
    listOf: ({ transfers: rows, total }: TransferList) => ({ rows, total }),
    tabs: { label: 'Status', name: 'status', all: tabs, chosen: status },
    filters: { fields, chosen: filters, noMatch: 'No transfers match' },
  };
  return (
    <Page
      title="Transfers"
      about={<ReadOnlyNote what="send money" operations={['createTransfer']} />}
      actions={!isEmptyList(list) && create}
      isWide
    >
      <RecordList
        {...list}
        name="transfers"
        label="Transfers"
        columns={columns}
        keyOf={({ id }) => id}
        marksNew
        search={{ label: 'Search transfers', placeholder: 'Reference, recipient, narration or amount' }}
        csv={{ file: 'transfers', read: (tillhook) => tillhook.transfers.list(matching).csv() }}
        empty={
          <Empty title="No transfers yet" action={create}>
            A transfer sends money from your Transfer wallet to a bank account. Send the first one here, or from your
            server with <code>transfers.create</code>.
          </Empty>
        }
      />
      <NewTransfer isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const tabs = tabsOf(transferStates);

const fields = [createdField, referenceField('payout-77')];

const columns: Column<Transfer>[] = [
  { title: 'Reference', cell: (transfer) => <TransferLink {...transfer} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (transfer) => <Money {...transfer} /> },
  {
    title: 'Fee',
    name: 'fee',
    isNumber: true,
    isNarrow: true,
    cell: ({ fee, currency }) => <Money {...{ amount: fee, currency }} />,
  },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Recipient', onPhone: 'who', cell: ({ recipient }) => <bdi>{recipient.name}</bdi> },
  {
    title: 'Account',
    name: 'account',
    isNarrow: true,
    cell: ({ recipient }) => `•••• ${recipient.accountNumberLast4}`,
  },
  {
    title: 'Narration',
    name: 'narration',
    isExtra: true,
    cell: ({ narration }) => narration && <bdi>{narration}</bdi>,
  },
  {
    title: 'Created',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

function TransferLink({ reference, mode }: Transfer): ReactNode {
  return (
    <AnchorLink to="/$mode/transfers/$reference" params={{ mode, reference }}>
      {reference}
    </AnchorLink>
  );
}
