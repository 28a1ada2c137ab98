import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';

interface TableSkeletonProps<Row> {
  columns: readonly Column<Row>[];
  count?: number;
  isOneLine?: boolean;
}

export function TableSkeleton<Row>({ columns, count = 8, isOneLine = false }: TableSkeletonProps<Row>): ReactNode {
  const rows = Array.from({ length: count }, (_, index) => String(index));
  const bars = columns.map((column) => ({ ...column, cell: () => <Skeleton h={12} my={4} miw={56} /> }));
  return (
    <div aria-hidden>
      <DataTable label="" columns={bars} rows={rows} keyOf={(row) => row} isOneLine={isOneLine} />
    </div>
  );
}
