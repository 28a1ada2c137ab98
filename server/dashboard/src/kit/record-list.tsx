import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { type Changed, type Chosen, type FilterField, Filters } from './filters.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';
import { TableSkeleton } from './table-skeleton.tsx';
import { whyNone } from './why-none.ts';

interface RecordListProps<Answer, Row, Name extends string> {
  /** What the table holds, for screen readers. */
  label: string;
  /** One page of the list, as `useRead` reads it. */
  read: UseQueryResult<Answer>;
  /** Returns from the answer the records of the page, and the number of records on all pages. */
  listOf: (answer: Answer) => { rows: readonly Row[]; total: number };
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Whether new records are highlighted for a moment, when the list is live. */
  marksNew?: boolean;
  filters?: ListFilters<Name>;
  /** Shown instead of the table when there is no record. */
  empty: ReactNode;
}

interface ListFilters<Name extends string> {
  fields: readonly FilterField<Name>[];
  /** The filters that are in the address. */
  chosen: Chosen<Name>;
  /** Other values of the address that change together with a filter. */
  alsoChange?: (changed: Changed<Name>) => object;
  /**
   * The title shown instead of the table when no record matches the filters: "No payment matches". The title of
   * `empty` when omitted.
   */
  noMatch?: string;
}

/**
 * One page of a list, with the filters above and the links to other pages below. The address contains filters and
 * page.
 */
export function RecordList<Answer, Row, Name extends string = never>(
  props: RecordListProps<Answer, Row, Name>,
): ReactNode {
  const { label, read, listOf, columns, keyOf, marksNew, filters } = props;
  const { page = 1 } = useSearch({ strict: false });
  const changeAddress = useChangeAddress();
  const goTo = (to: number | undefined) => changeAddress({ page: to }, { isNewEntry: true });
  // The rows of another page or of other filters are not highlighted as new.
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

/** Shown instead of the table when no record matches the filters, or when there is no record at all. */
function nothingIn({ filters, empty }: NothingIn): ReactNode {
  const isFiltered = Object.values(filters?.chosen ?? {}).some((value) => value !== undefined);
  if (!isFiltered || filters?.noMatch === undefined) return empty;
  return <Empty title={filters.noMatch}>{whyNone(filters.chosen)} Change or clear the filters above.</Empty>;
}

/** Shown for a page after the last one. An old link can lead there. */
function EmptyPage({ onFirst }: { onFirst: () => void }): ReactNode {
  return (
    <Empty title="This page is empty">
      <Button variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </Empty>
  );
}

/** A change of the page adds an entry to the browser's history. A change of the filters replaces the present entry. */
function useChangeAddress() {
  const navigate = useNavigate();
  return (changed: object, { isNewEntry }: { isNewEntry: boolean }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: !isNewEntry });
}
