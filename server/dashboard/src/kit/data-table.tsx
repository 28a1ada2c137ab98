import { Table } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  title: string;
  /** In the first column, the cell is a link to the record, and the link covers the whole row. */
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  isNarrow?: boolean;
  /** Whether the cell is the header of its row for screen readers. */
  isRowHeader?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Highlights new rows for a few seconds, on a live page. */
  marksNew?: boolean;
}

/**
 * The link in the first cell covers its row: the whole row can be clicked, and keyboard users find one link in each
 * row.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, marksNew }: DataTableProps<Row>): ReactNode {
  const fresh = useFresh(rows.map(keyOf), marksNew);
  return (
    <div className={classes.frame}>
      {/* The roles are explicit, because browsers ignore the table semantics of a table that is laid out as cards. */}
      <Table className={classes.table} role="table" aria-label={label} highlightOnHover>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ title, isNumber, isNarrow }) => (
              <Table.Th key={title} role="columnheader" scope="col" data-number={isNumber} data-narrow={isNarrow}>
                {title}
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
              {columns.map(({ title, cell, isNumber, isNarrow, isRowHeader }) => (
                <Table.Td
                  key={title}
                  role={isRowHeader ? 'rowheader' : 'cell'}
                  data-title={title}
                  data-number={isNumber}
                  data-narrow={isNarrow}
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
