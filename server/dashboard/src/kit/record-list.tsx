import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Csv } from './csv-button.tsx';
import { type Column, DataTable, type Sorting } from './data-table.tsx';
import { Empty } from './empty.tsx';
import type { Changed, Chosen, FilterField } from './filter-fields.ts';
import { Filters } from './filters.tsx';
import { type ColumnChoice, useColumnChoice } from './kept-columns.ts';
import { ListSearch, type ListSearchTexts } from './list-search.tsx';
import { ListTabs, type StatusTabs } from './list-tabs.tsx';
import tools from './list-tools.module.css';
import { ListTools } from './list-tools.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';
import { queryOf, useSavedViews, useShownView } from './saved-views.ts';
import { TableSkeleton } from './table-skeleton.tsx';
import { ViewTool } from './view-tool.tsx';

interface RecordListProps<Answer, Row, Name extends string> {
  /** The name by which the browser keeps the columns of the list, and the service the views. Letters and hyphens. */
  name: string;
  label: string;
  read: UseQueryResult<Answer>;
  /** `total` counts the records on all pages. */
  listOf: (answer: Answer) => { rows: readonly Row[]; total: number };
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  marksNew?: boolean;
  tabs?: StatusTabs;
  /** The field of a list that can be searched. The filters have the text as `search`. */
  search?: ListSearchTexts;
  filters?: ListFilters<Name>;
  csv?: Csv;
  /** Shown instead of the list and its filters when there is no record at all, with the button that adds the first. */
  empty: ReactNode;
}

interface ListFilters<Name extends string> {
  fields: readonly FilterField<Name>[];
  chosen: Chosen<Name>;
  /** Returns other search parameters that must change together with a filter. */
  alsoChange?: (changed: Changed<Name>) => object;
  /** The title when no record matches the filters: "No payments match". */
  noMatch?: string;
}

/**
 * A list of records with its tabs, filters, columns, pages and saved views. A list without filters and search has no views.
 * See docs/decisions/dashboard.md, "A list has tabs and chips, and no library of tables".
 */
export function RecordList<Answer, Row, Name extends string = never>(
  props: RecordListProps<Answer, Row, Name>,
): ReactNode {
  const { name, label, read, listOf, columns, keyOf, marksNew, tabs, search, filters, csv } = props;
  const address = useSearch({ strict: false });
  const { page = 1, order = 'desc' } = address;
  const changeAddress = useChangeAddress();
  const choice = useColumnChoice(name, columns, {
    inAddress: address.columns,
    changeAddress: (to) => changeAddress({ columns: to }, { isNewEntry: false }),
  });
  const views = useViewsOf(props, choice);
  const hasTools =
    (filters?.fields.length ?? 0) + choice.optional.length > 0 || csv !== undefined || search !== undefined;
  const goTo = (to: number | undefined) => changeAddress({ page: to }, { isNewEntry: true });
  const sorting: Sorting = {
    order,
    onChange: (to) => changeAddress({ order: to === 'asc' ? to : undefined, page: undefined }, { isNewEntry: true }),
  };
  // After a change of page, order or filters, the rows are not highlighted as new.
  const listKey = JSON.stringify([tabs?.chosen, filters?.chosen, page, order, read.isPlaceholderData]);
  return (
    <>
      {!isEmptyList(props) && (
        <>
          {(tabs || views.views.length > 0) && <ListTabs tabs={tabs} {...views} />}
          {hasTools && (
            <div className={tools.bar}>
              {search && (
                <ListSearch
                  {...search}
                  chosen={textIn(filters?.chosen)}
                  onChange={(text) => changeAddress({ search: text, page: undefined }, { isNewEntry: false })}
                />
              )}
              {filters && filters.fields.length > 0 && (
                <Filters
                  fields={filters.fields}
                  chosen={filters.chosen}
                  onChange={(changed) =>
                    changeAddress({ ...filters.alsoChange?.(changed), ...changed }, { isNewEntry: false })
                  }
                />
              )}
              <div className={tools.tools}>
                <ViewTool list={name} {...views} />
                <ListTools columns={choice} csv={csv} />
              </div>
            </div>
          )}
        </>
      )}
      <Loaded read={read} skeleton={<TableSkeleton columns={choice.shown} isOneLine />}>
        {(answer) => {
          const { rows, total } = listOf(answer);
          if (rows.length === 0) return total > 0 ? <EmptyPage onFirst={() => goTo(undefined)} /> : nothingIn(props);
          return (
            <>
              <DataTable
                key={listKey}
                {...{ label, rows, keyOf, sorting }}
                columns={choice.shown}
                marksNew={marksNew ?? false}
                isOneLine
              />
              <Pager page={page} total={total} onPage={goTo} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function textIn(chosen: Chosen<string> = {}): string | undefined {
  return chosen.search === undefined ? undefined : String(chosen.search);
}

function useViewsOf<Answer, Row, Name extends string>(
  { name, tabs, search, filters }: RecordListProps<Answer, Row, Name>,
  { forAddress, isUsual, isInAddress }: ColumnChoice<Row>,
) {
  const address = useSearch({ strict: false });
  const names = [...(filters?.fields.flatMap((field) => field.names) ?? []), ...(search ? ['search'] : [])];
  const views = useSavedViews(name, names.length > 0);
  const shown = useShownView(views, queryOf(address));
  const isChosen = isFiltered({ ...(filters && { filters }) }) || address.order || !isUsual || isInAddress;
  return {
    views,
    shown,
    query: names.length > 0 && isChosen ? queryOf({ ...address, columns: forAddress }) : undefined,
    viewed: [...names, ...(tabs ? [tabs.name] : []), 'order', 'columns'],
  };
}

type AnyList = Pick<RecordListProps<never, never, never>, 'tabs' | 'empty'> & {
  filters?: Pick<ListFilters<string>, 'chosen' | 'noMatch'>;
};

function isFiltered({ tabs, filters }: Pick<AnyList, 'tabs' | 'filters'>): boolean {
  return tabs?.chosen !== undefined || Object.values(filters?.chosen ?? {}).some((value) => value !== undefined);
}

/** Whether there is no record, also without filters. An account without records has nothing to filter. */
export function isEmptyList<Answer>({
  read,
  listOf,
  ...filtering
}: Pick<AnyList, 'tabs' | 'filters'> & {
  read: UseQueryResult<Answer>;
  listOf: (answer: Answer) => { total: number };
}): boolean {
  return read.isSuccess && !read.isPlaceholderData && !isFiltered(filtering) && listOf(read.data).total === 0;
}

function nothingIn(list: AnyList): ReactNode {
  const { filters, empty } = list;
  if (!isFiltered(list) || filters?.noMatch === undefined) return empty;
  return (
    <Empty title={filters.noMatch}>
      {whyNone(filters.chosen)} {whatToClear(filters.chosen)}
    </Empty>
  );
}

function whatToClear({ search, ...others }: Chosen<string>): string {
  if (search === undefined) return 'Change or clear the filters above.';
  const isFilteredToo = Object.values(others).some((value) => value !== undefined);
  return isFilteredToo ? 'Change or clear the search and the filters above.' : 'Change or clear the search above.';
}

/** An old link may have a page number that is higher than that of the last page. */
function EmptyPage({ onFirst }: { onFirst: () => void }): ReactNode {
  return (
    <Empty title="This page is empty">
      <Button variant="default" onClick={onFirst}>
        Go to first page
      </Button>
    </Empty>
  );
}

/**
 * Another page or order adds an entry to the browser's history. A change of the filters replaces the current entry.
 */
function useChangeAddress() {
  const navigate = useNavigate();
  return (changed: object, { isNewEntry }: { isNewEntry: boolean }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: !isNewEntry });
}

/**
 * Explains why no record matches. Null unless two filters contradict each other, or the user filters by a reference,
 * which must be typed in full.
 */
export function whyNone({ minAmount, maxAmount, from, to, reference }: Chosen<string>): string | null {
  if (minAmount && maxAmount && Number(minAmount) > Number(maxAmount))
    return '“Amount from” is higher than “Amount to”.';
  if (from && to && Date.parse(String(from)) > Date.parse(String(to))) return 'The start is later than the end.';
  return reference === undefined ? null : 'Enter the full reference to find it.';
}
