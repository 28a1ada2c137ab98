/**
 * A table without borders. A narrow terminal gets fewer columns, and a narrower one a list of fields for each record.
 * See docs/decisions/process.md, "A table fits the terminal, and is complete elsewhere".
 */

import Table from 'cli-table3';
import { printable } from './printable.ts';
import { cut, type Screen } from './screen.ts';

export interface Column<Row> {
  heading: string;
  cell: (row: Row) => string;
  /** May be left out when the terminal is too narrow; the last such column goes first. */
  isOptional?: boolean;
  colour?: (row: Row, colours: Screen['colours']) => (text: string) => string;
}

const noBorder = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], screen: Screen): string {
  const shown = fitting(rows, columns, screen.columns);
  if (widthOf(rows, shown) > screen.columns) return rows.map((row) => recordOf(row, columns, screen)).join('\n\n');
  const { colours } = screen;
  const table = new Table({
    head: shown.map(({ heading }) => colours.dim(heading)),
    chars: noBorder,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push(shown.map(({ cell, colour }) => (colour?.(row, colours) ?? String)(printable(cell(row)))));
  }
  return table.toString().replaceAll(/ +$/gm, '');
}

/** One record as lines of heading and value. */
export function recordOf<Row>(row: Row, columns: readonly Column<Row>[], { columns: width, colours }: Screen): string {
  const headingWidth = Math.max(...columns.map(({ heading }) => heading.length));
  return columns
    .filter(({ cell }) => cell(row) !== '')
    .map(({ heading, cell, colour }) => {
      const room = width - headingWidth - 2;
      const text = printable(cell(row));
      const field = (colour?.(row, colours) ?? String)(isWhole(text) ? text : cut(text, room));
      // An id is never cut, because the user copies it.
      return text.length > room && isWhole(text)
        ? `${colours.dim(heading)}\n${field}`
        : `${colours.dim(heading.padEnd(headingWidth))}  ${field}`;
    })
    .join('\n');
}

const isWhole = (text: string) => !text.includes(' ') && text.length <= 40;

function fitting<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): readonly Column<Row>[] {
  if (widthOf(rows, columns) <= width) return columns;
  const dropped = columns.findLastIndex(({ isOptional }) => isOptional);
  if (dropped === -1) return columns;
  return fitting(rows, columns.toSpliced(dropped, 1), width);
}

function widthOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): number {
  const widths = columns.map(({ heading, cell }) =>
    Math.max(heading.length, ...rows.map((row) => [...printable(cell(row))].length)),
  );
  return widths.reduce((sum, width) => sum + width, 0) + 2 * (columns.length - 1);
}
