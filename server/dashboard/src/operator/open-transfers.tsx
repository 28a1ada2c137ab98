import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OperatorTransfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { transferStates } from '../transfers/transfer-filters.ts';
import { TransferDialog } from './transfer-dialog.tsx';

export function OpenTransfers(): ReactNode {
  const { page = 1, status, transfer } = useSearch({ from: '/$mode/operator' });
  const navigate = useNavigate({ from: '/$mode/operator' });
  const query = { ...(status && { status }), ...paged({ page }) };
  const transfers = useRead({
    key: ['operator', 'transfers', query],
    read: (tillhook, options) => tillhook.operator.listTransfers(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <>
      <RecordList
        name="operator-transfers"
        label="Transfers"
        read={transfers}
        listOf={({ transfers: rows, total }) => ({ rows, total })}
        columns={columns}
        keyOf={(row) => row.transfer.id}
        marksNew
        tabs={{ label: 'Status', name: 'status', all: tabs, chosen: status }}
        empty={
          <Empty title="No transfers to decide">
            {status
              ? 'Change or clear the filter above.'
              : 'Transfers that merchants create in live mode appear here automatically.'}
          </Empty>
        }
      />
      {transfer && (
        <TransferDialog
          id={transfer}
          onClose={() => void navigate({ search: (before) => ({ ...before, transfer: undefined }) })}
        />
      )}
    </>
  );
}

const tabs = tabsOf(transferStates, 'Open');

const columns: Column<OperatorTransfer>[] = [
  { title: 'Reference', cell: (row) => <OpenLink {...row} /> },
  { title: 'Merchant', onPhone: 'who', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
  {
    title: 'To',
    cell: ({ transfer: { recipient } }) => (
      <span>
        <bdi>{recipient.name}</bdi>, •••• {recipient.accountNumberLast4}
      </span>
    ),
  },
  {
    title: 'Amount',
    isNumber: true,
    isNarrow: true,
    onPhone: 'lead',
    cell: ({ transfer }) => <Money {...transfer} by="code" />,
  },
  {
    title: 'Status',
    isNarrow: true,
    onPhone: 'state',
    cell: ({ transfer }) => <StatusBadge status={transfer.status} />,
  },
  { title: 'Created', isNarrow: true, onPhone: 'when', cell: ({ transfer }) => <Moment at={transfer.createdAt} /> },
];

function OpenLink({ transfer: { id, reference } }: OperatorTransfer): ReactNode {
  const mode = useMode();
  const present = useSearch({ from: '/$mode/operator' });
  return (
    <AnchorLink to="/$mode/operator" params={{ mode }} search={{ ...present, transfer: id }}>
      {reference}
    </AnchorLink>
  );
}
