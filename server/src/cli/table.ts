/**
 * At a terminal, long cells are truncated; if the table is still too wide, each row is printed as a block of lines.
 * See docs/decisions/process.md, "A table fits the terminal, and is complete elsewhere".
 */
import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import { printable } from '../kit/terminal.ts';
import type { Terminal } from './terminal.ts';

export interface Table {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

/** At a terminal, a long value of the record continues on the next line. */
export interface Sheet {
  fields: readonly (readonly [name: string, value: string])[];
}

const gap = 2;
const minColumnWidth = 8;

export function tableText(table: Table, { width, colours }: Terminal): string {
  const rows = table.rows.map((row) => row.map(printable));
  const isStatus = table.headings.map((heading) => heading === 'STATUS');
  const paint = (cell: string, column: number) => (isStatus[column] ? toned(cell, colours) : cell);
  const widths = fittingWidths({ headings: table.headings, rows }, width);
  if (!widths) return blocksOf({ headings: table.headings, rows }, width ?? 0, { paint, bold: colours.bold });
  const fit = (row: readonly string[]) => row.map((cell, column) => cut(cell, widths[column] ?? 0));
  const head = fit(table.headings).map((heading) => colours.bold(heading));
  return aligned([head, ...rows.map((row) => fit(row).map(paint))], widths);
}

export function sheetText({ fields }: Sheet, { width, colours }: Terminal): string {
  const names = Math.max(...fields.map(([name]) => stringWidth(name)));
  const maxWidth = Math.max(...fields.map(([, value]) => stringWidth(printable(value))));
  const rest = width === null ? maxWidth : Math.min(maxWidth, Math.max(minColumnWidth, width - names - gap));
  const rows = fields.map(([name, value]) => {
    const text = printable(value);
    // A coloured text must fit the line: the library counts the escape codes of colours as characters when it breaks
    // lines.
    const isColoured = name === 'status' && stringWidth(text) <= rest;
    return [colours.bold(name), isColoured ? toned(text, colours) : { content: text, ...brokenAnywhere }];
  });
  return aligned(rows, [names, rest]);
}

function fittingWidths({ headings, rows }: Table, width: number | null): number[] | null {
  const columns = headings.map((heading, column) => [heading, ...rows.map((row) => row[column] ?? '')]);
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => stringWidth(cell))));
  if (width === null) return widths;
  const minWidths = columns.map((cells, column) => minWidth(cells, column, widths[column] ?? 0));
  for (let excess = sum(widths) + gap * (widths.length - 1) - width; excess > 0; excess -= 1) {
    const spare = widths.map((each, column) => (each > (minWidths[column] ?? 0) ? each : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (!spare[widest]) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The first column and ids are never truncated, because an operator copies ids to the next command. */
function minWidth([, ...cells]: readonly string[], column: number, natural: number): number {
  const isKept = column === 0 || (cells.length > 0 && cells.every((cell) => /^[0-9a-f-]{36}$/.test(cell)));
  return isKept ? natural : Math.min(natural, minColumnWidth);
}

interface Look {
  paint(cell: string, column: number): string;
  bold(text: string): string;
}

function blocksOf({ headings, rows }: Table, width: number, { paint, bold }: Look): string {
  const names = Math.max(...headings.map((heading) => stringWidth(heading)));
  const lineOf = (cell: string, column: number) => {
    const isKept = column === 0 || /^[0-9a-f-]{36}$/.test(cell);
    const text = isKept ? cell : cut(cell, Math.max(minColumnWidth, width - names - gap));
    return `${bold((headings[column] ?? '').padEnd(names))}${' '.repeat(gap)}${paint(text, column)}`.trimEnd();
  };
  return rows.map((row) => row.map(lineOf).join('\n')).join('\n\n');
}

const brokenAnywhere = { wordWrap: true, wrapOnWordBoundary: false };

type Cell = string | ({ content: string } & typeof brokenAnywhere);

/** The library formats few rows at once, because its time grows with the square of the number of rows. */
const rowsAtOnce = 20;

function aligned(rows: readonly (readonly Cell[])[], widths: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const table = new CliTable({ ...layout, colWidths: [...widths] });
    table.push(...rows.slice(at, at + rowsAtOnce).map((row) => [...row]));
    parts.push(table.toString().replaceAll(/[ \t]+$/gm, ''));
  }
  return parts.join('\n');
}

const noLines = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
    [side, ''],
    [`${side}-mid`, ''],
    [`${side}-left`, ''],
    [`${side}-right`, ''],
    ['mid-mid', ''],
  ]),
);

const layout = {
  chars: { ...noLines, middle: ' '.repeat(gap) },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

const tones: Record<string, 'green' | 'red' | 'yellow' | 'dim'> = {
  active: 'green',
  completed: 'green',
  delivered: 'green',
  pending: 'yellow',
  processing: 'yellow',
  rolled: 'yellow',
  failed: 'red',
  reversed: 'red',
  revoked: 'red',
  suspended: 'red',
  expired: 'dim',
  skipped: 'dim',
};

function toned(cell: string, colours: Terminal['colours']): string {
  const tone = tones[/^\w*/.exec(cell)?.[0] ?? ''];
  return tone ? colours[tone](cell) : cell;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
