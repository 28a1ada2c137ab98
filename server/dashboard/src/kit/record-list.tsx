import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lastPage, pageSize } from '../app/search.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { type Changed, type Chosen, type FilterField, Filters } from './filters.tsx';
import { Loaded } from './loaded.tsx';
import { lazyFormat } from './locale.ts';
import { TableSkeleton } from './table-skeleton.tsx';

interface RecordListProps<Answer, Row, Name extends string> {
  label: string;
  read: UseQueryResult<Answer>;
  /** `total` counts the records on all pages. */
  listOf: (answer: Answer) => { rows: readonly Row[]; total: number };
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  marksNew?: boolean;
  filters?: ListFilters<Name>;
  empty: ReactNode;
}

interface ListFilters<Name extends string> {
  fields: readonly FilterField<Name>[];
  chosen: Chosen<Name>;
  /** Returns other search parameters that must change together with a filter. */
  alsoChange?: (changed: Changed<Name>) => object;
  /** The title when no record matches the filters: "No payment matches". */
  noMatch?: string;
}

export function RecordList<Answer, Row, Name extends string = never>(
  props: RecordListProps<Answer, Row, Name>,
): ReactNode {
  const { label, read, listOf, columns, keyOf, marksNew, filters } = props;
  const { page = 1 } = useSearch({ strict: false });
  const changeAddress = useChangeAddress();
  const goTo = (to: number | undefined) => changeAddress({ page: to }, { isNewEntry: true });
  // After a change of page or filters, the rows are not highlighted as new.
  const listKey = JSON.stringify([filters?.chosen, page, read.isPlaceholderData]);
  return (
    <>
      {filters && (
        <Filters
          fields={filters.fields}
          chosen={filters.chosen}
          onChange={(changed) => changeAddress({ ...filters.alsoChange?.(changed), ...changed }, { isNewEntry: false })}
        />
      )}
      <Loaded read={read} skeleton={<TableSkeleton columns={columns} />}>
        {(answer) => {
          const { rows, total } = listOf(answer);
          if (rows.length === 0) return total > 0 ? <EmptyPage onFirst={() => goTo(undefined)} /> : nothingIn(props);
          return (
            <>
              <DataTable key={listKey} {...{ label, columns, rows, keyOf }} marksNew={marksNew ?? false} />
              <Pager page={page} total={total} onPage={goTo} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface NothingIn {
  filters?: Pick<ListFilters<string>, 'chosen' | 'noMatch'>;
  empty: ReactNode;
}

function nothingIn({ filters, empty }: NothingIn): ReactNode {
  const isFiltered = Object.values(filters?.chosen ?? {}).some((value) => value !== undefined);
  if (!isFiltered || filters?.noMatch === undefined) return empty;
  return <Empty title={filters.noMatch}>{whyNone(filters.chosen)} Change or clear the filters above.</Empty>;
}

/** An old link may have a page number that is higher than that of the last page. */
function EmptyPage({ onFirst }: { onFirst: () => void }): ReactNode {
  return (
    <Empty title="This page is empty">
      <Button variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </Empty>
  );
}

/** Going to another page adds an entry to the browser's history. Changing the filters replaces the current entry. */
function useChangeAddress() {
  const navigate = useNavigate();
  return (changed: object, { isNewEntry }: { isNewEntry: boolean }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: !isNewEntry });
}

interface PagerProps {
  /** From 1. */
  page: number;
  total: number;
  onPage: (page: number) => void;
}

const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

/**
 * Shows which records of the list are visible, with links to the previous and the next page.
 * See docs/decisions/dashboard.md, "Lists have Previous and Next, and end at page 4,000".
 */
export function Pager({ page, total, onPage }: PagerProps): ReactNode {
  const first = Math.min((page - 1) * pageSize + 1, total);
  const last = Math.min(page * pageSize, total);
  const isCut = page >= lastPage && last < total;
  return (
    <Group component="nav" justify="space-between" gap="sm" aria-label="Pages of this list">
      <Text size="sm" c="dimmed" role="status">
        {total === 0 ? 'None' : `${count().format(first)}–${count().format(last)} of ${count().format(total)}`}
        {isCut && '. A list ends here: filter it by time to see the others.'}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button size="xs" variant="default" disabled={isCut || last >= total} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </Group>
    </Group>
  );
}

/**
 * Explains why no record matches. Null unless two filters contradict each other, or the user filters by a reference,
 * which must be typed in full.
 */
export function whyNone({ minAmount, maxAmount, from, to, reference }: Chosen<string>): string | null {
  if (minAmount && maxAmount && Number(minAmount) > Number(maxAmount)) return 'Amount from is more than Amount to.';
  if (from && to && Date.parse(String(from)) > Date.parse(String(to)))
    return 'The first moment is later than the last.';
  return reference === undefined ? null : 'A reference is found only when the whole of it is typed.';
}
