import { Table } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';
import { ArrowDown, ArrowUp } from './icons.tsx';

export interface Column<Row> {
  title: string;
  /** In the first column, the cell is a link to the record, and the link covers the whole row. */
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  isNarrow?: boolean;
  /** Whether the cell is the header of its row for screen readers. */
  isRowHeader?: boolean;
  /** The name by which the browser keeps whether the user hides the column. Columns without a name are always shown. */
  name?: string;
  /** Whether the column is hidden until the user chooses it. */
  isExtra?: boolean;
  /** Whether the list can be sorted by this column. */
  isSorted?: boolean;
  /**
   * The place of the cell on a phone, where a row has two lines: `lead` and `state` in the first; `who`, `when` and the
   * buttons of `act` in the second. Other cells of such a table are not shown there. In a table without places, each cell
   * is a line.
   */
  onPhone?: 'lead' | 'state' | 'who' | 'when' | 'act';
  /** Whether the title stands before the cell on a phone. */
  isNamedOnPhone?: boolean;
}

export interface Sorting {
  order: 'asc' | 'desc';
  onChange: (order: 'asc' | 'desc') => void;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Highlights new rows for a few seconds, on a live page. */
  marksNew?: boolean;
  /** Cuts texts off at the end of their cell, so that all rows have the same height. */
  isOneLine?: boolean;
  sorting?: Sorting | undefined;
}

/**
 * The link in the first cell covers its row: the whole row can be clicked, and keyboard users find one link in each
 * row.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, marksNew, isOneLine, sorting } = props;
  const fresh = useFresh(rows.map(keyOf), marksNew);
  const hasPlaces = columns.some(({ onPhone }) => onPhone);
  const wide = columns.slice(1).filter(({ isNarrow }) => !isNarrow).length;
  return (
    <div
      className={classes.frame}
      data-one-line={isOneLine || undefined}
      data-wide={wide > 2 || undefined}
      data-places={hasPlaces || undefined}
    >
      {/* The roles are explicit, because browsers ignore the table semantics of a table that is laid out as cards. */}
      <Table
        className={classes.table}
        role="table"
        aria-label={label}
        highlightOnHover
        {...(isOneLine && { onMouseMove: showWhole })}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ title, isNumber, isNarrow, isSorted }) => (
              <Table.Th
                key={title}
                role="columnheader"
                scope="col"
                data-number={isNumber}
                data-narrow={isNarrow}
                aria-sort={isSorted && sorting ? ariaSorts[sorting.order] : undefined}
              >
                {isSorted && sorting ? <SortButton title={title} {...sorting} /> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              role="row"
              className={classes.row}
              data-fresh={fresh.has(keyOf(row)) || undefined}
            >
              {columns.map(({ title, cell, isNumber, isNarrow, isRowHeader, onPhone, isNamedOnPhone }) => (
                <Table.Td
                  key={title}
                  role={isRowHeader ? 'rowheader' : 'cell'}
                  data-title={title}
                  data-number={isNumber}
                  data-narrow={isNarrow}
                  data-place={onPhone}
                  data-named={isNamedOnPhone}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

function SortButton({ title, order, onChange }: Sorting & { title: string }): ReactNode {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button type="button" className={classes.sort} onClick={() => onChange(order === 'asc' ? 'desc' : 'asc')}>
      {title}
      <Arrow size={12} aria-hidden />
    </button>
  );
}

/** The link of a row lies above the cells, so the title of the cell below the pointer becomes the title of the link. */
function showWhole({ clientX, clientY, target }: MouseEvent): void {
  if (!(target instanceof HTMLAnchorElement)) return;
  const below = document.elementsFromPoint(clientX, clientY);
  const cell = below.find((element) => element instanceof HTMLTableCellElement);
  const titled = below.find(
    (element) => element !== target && cell?.contains(element) && element.hasAttribute('title'),
  );
  target.title = titled?.getAttribute('title') ?? (cell && isCut(cell) ? cell.innerText : '');
}

function isCut(cell: HTMLElement): boolean {
  return [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0);
}

const isNewForMs = 4_000;

/** Returns the keys of new rows, each for `isNewForMs`. After the first load, no row counts as new. */
function useFresh(keys: readonly string[], isOn: boolean | undefined): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const known = useRef<ReadonlySet<string>>(undefined);
  const joined = keys.join(' ');
  useEffect(() => {
    const present = new Set(joined.split(' '));
    const added = known.current ? [...present].filter((key) => !known.current?.has(key)) : [];
    known.current = new Set([...(known.current ?? []), ...present]);
    if (!isOn || added.length === 0 || added.length === present.size) return;
    setFresh(new Set(added));
    const timer = setTimeout(() => setFresh(new Set()), isNewForMs);
    return () => clearTimeout(timer);
  }, [joined, isOn]);
  return fresh;
}
