import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';

const rows = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** What stands where a table will be: its columns already, and bars in the place of its records. */
export function TableSkeleton<Row>({ columns }: { columns: readonly Column<Row>[] }): ReactNode {
  const bars = columns.map((column) => ({ ...column, cell: () => <Skeleton h={12} my={4} miw={56} /> }));
  return (
    <div aria-hidden>
      <DataTable label="" columns={bars} rows={rows} keyOf={(row) => row} />
    </div>
  );
}
