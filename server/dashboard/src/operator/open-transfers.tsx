import { Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OperatorTransfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { type FilterField, Filters } from '../kit/filters.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Pager } from '../kit/pager.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { transferStatuses } from './operator-search.ts';
import { TransferDialog } from './transfer-dialog.tsx';

/** The transfers of all merchants that wait, the oldest first, so that it is paid first. */
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
    <Stack gap="md">
      <Filters
        fields={fields}
        chosen={{ status }}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
      <Loaded read={transfers}>
        {({ transfers: rows, total }) =>
          rows.length === 0 ? (
            <Empty title="No transfer waits">
              {status
                ? 'Change or clear the filter above.'
                : 'What a merchant transfers in live mode appears here by itself.'}
            </Empty>
          ) : (
            <>
              <DataTable label="Transfers" columns={columns} rows={rows} keyOf={(row) => row.transfer.id} marksNew />
              <Pager
                page={page}
                total={total}
                onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
              />
            </>
          )
        }
      </Loaded>
      {transfer && (
        <TransferDialog
          id={transfer}
          onClose={() => void navigate({ search: (before) => ({ ...before, transfer: undefined }) })}
        />
      )}
    </Stack>
  );
}

const fields: FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    placeholder: 'Open',
    options: transferStatuses.map((value) => ({ value, label: value })),
  },
];

const columns: Column<OperatorTransfer>[] = [
  { title: 'Reference', cell: (row) => <OpenLink {...row} /> },
  { title: 'Merchant', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
  {
    title: 'To',
    cell: ({ transfer: { recipient } }) => (
      <>
        <bdi>{recipient.name}</bdi>, •••• {recipient.accountNumberLast4}
      </>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ transfer }) => <Money {...transfer} by="code" /> },
  { title: 'Status', isNarrow: true, cell: ({ transfer }) => <StatusBadge status={transfer.status} /> },
  { title: 'Created', isNarrow: true, cell: ({ transfer }) => <Moment at={transfer.createdAt} /> },
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
