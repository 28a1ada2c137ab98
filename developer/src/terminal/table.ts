/**
 * A narrow terminal gets fewer columns, and a very narrow terminal gets a list of fields for each record.
 * See docs/decisions/process.md, "A table fits the terminal, and is complete elsewhere".
 */
import { stripVTControlCharacters } from 'node:util';
import CliTable from 'cli-table3';
import { printable } from './printable.ts';
import { cut, type Screen } from './screen.ts';

export interface Column<Row> {
  heading: string;
  cell: (row: Row) => string;
  /** A narrow terminal omits optional columns, beginning with the last. */
  isOptional?: boolean;
  colour?: (row: Row, colours: Screen['colours']) => (text: string) => string;
}

export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], screen: Screen): string {
  for (let shown = columns; ; ) {
    const table = linesOf(rows, shown, screen.colours);
    if (widthOf(table) <= screen.columns) return table;
    const last = shown.findLastIndex(({ isOptional }) => isOptional);
    if (last === -1) return rows.map((row) => recordOf(row, columns, screen)).join('\n\n');
    shown = shown.toSpliced(last, 1);
  }
}

export function recordOf<Row>(row: Row, columns: readonly Column<Row>[], { columns: width, colours }: Screen): string {
  const headingWidth = Math.max(...columns.map(({ heading }) => heading.length));
  return columns
    .filter(({ cell }) => cell(row) !== '')
    .map(({ heading, cell, colour }) => {
      const room = width - headingWidth - 2;
      const text = printable(cell(row));
      const field = (colour?.(row, colours) ?? String)(isWhole(text) ? text : cut(text, room));
      // An id is never truncated, because users copy ids.
      return text.length > room && isWhole(text)
        ? `${colours.dim(heading)}\n${field}`
        : `${colours.dim(heading.padEnd(headingWidth))}  ${field}`;
    })
    .join('\n');
}

const isWhole = (text: string) => !text.includes(' ') && text.length <= 40;

function linesOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], colours: Screen['colours']): string {
  const table = new CliTable({
    head: columns.map(({ heading }) => colours.dim(heading)),
    chars: { ...noBorder, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push(columns.map(({ cell, colour }) => (colour?.(row, colours) ?? String)(printable(cell(row)))));
  }
  return table.toString().replaceAll(/ +$/gm, '');
}

const noBorder = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
  ),
);

function widthOf(table: string): number {
  return Math.max(...table.split('\n').map((line) => [...stripVTControlCharacters(line)].length));
}
