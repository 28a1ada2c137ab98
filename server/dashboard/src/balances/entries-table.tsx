import { Text } from '@mantine/core';
import type { WalletEntry } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';

interface EntriesTableProps {
  label: string;
  entries: readonly WalletEntry[];
  /** `entryColumns` when omitted. */
  columns?: readonly Column<WalletEntry>[];
}

export function EntriesTable({ label, entries, columns = entryColumns }: EntriesTableProps): ReactNode {
  if (entries.length > 0) return <DataTable label={label} columns={columns} rows={entries} keyOf={({ id }) => id} />;
  return (
    <Text size="sm" c="dimmed">
      No entries yet.
    </Text>
  );
}

const movements: Record<WalletEntry['type'], string> = {
  payment: 'Payment',
  top_up: 'Top-up of the Transfer wallet',
  test_funding: 'Test money',
  transfer: 'Transfer',
  transfer_return: 'Failed transfer returned',
  transfer_reversal: 'Reversed transfer returned',
  fee: 'Fee',
  refund: 'Refund',
  refund_return: 'Failed refund returned',
};

export const entryColumns: Column<WalletEntry>[] = [
  {
    title: 'Type',
    onPhone: 'who',
    cell: ({ type, amount }) => (type === 'fee' && amount > 0 ? 'Fee returned' : movements[type]),
  },
  { title: 'Reference', cell: (entry) => <SourceLink {...entry} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (entry) => <Movement {...entry} /> },
  {
    title: 'Balance',
    onPhone: 'state',
    isNumber: true,
    isNarrow: true,
    cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    title: 'Date',
    isNarrow: true,
    isSorted: true,
    onPhone: 'when',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

/** Shows incoming amounts with a plus sign, so that readers do not have to look for minus signs. */
function Movement({ amount, currency }: WalletEntry): ReactNode {
  return (
    <span>
      {amount > 0 && '+'}
      <Money amount={amount} currency={currency} />
    </span>
  );
}

/** Entries for top-ups and test money link to no page. */
const pages = new Map<
  string,
  '/$mode/payments/$reference' | '/$mode/refunds/$reference' | '/$mode/transfers/$reference'
>([
  ['payment', '/$mode/payments/$reference'],
  ['refund', '/$mode/refunds/$reference'],
  ['refund_return', '/$mode/refunds/$reference'],
  ['transfer', '/$mode/transfers/$reference'],
  ['transfer_return', '/$mode/transfers/$reference'],
  ['transfer_reversal', '/$mode/transfers/$reference'],
  ['fee', '/$mode/transfers/$reference'],
]);

function SourceLink({ type, reference }: WalletEntry): ReactNode {
  const mode = useMode();
  const to = pages.get(type);
  if (reference === null || !to) return reference;
  return (
    <AnchorLink to={to} params={{ mode, reference }}>
      {reference}
    </AnchorLink>
  );
}
