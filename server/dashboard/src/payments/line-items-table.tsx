import type { LineItem, Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Money } from '../kit/money.tsx';

type Numbered = LineItem & { number: number };

export function LineItemsTable({ payment: { lineItems, currency } }: { payment: Payment }): ReactNode {
  const rows = lineItems.map((item, index) => ({ ...item, number: index + 1 }));
  return <DataTable label="Items" columns={columnsIn(currency)} rows={rows} keyOf={({ number }) => String(number)} />;
}

function columnsIn(currency: string): Column<Numbered>[] {
  return [
    { title: 'Item', cell: ({ name }) => <bdi>{name}</bdi>, isRowHeader: true },
    { title: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
    {
      title: 'Unit price',
      isNumber: true,
      cell: ({ unitAmount }) => <Money amount={unitAmount} currency={currency} />,
    },
    {
      title: 'Total',
      isNumber: true,
      cell: ({ quantity, unitAmount }) => <Money amount={quantity * unitAmount} currency={currency} />,
    },
  ];
}
