/**
 * A list as CSV (RFC 4180): one line with the names of the columns, then one line for each record, all records of the
 * list. The columns of each list are in the contract.
 * See docs/decisions/figures.md, "A list as CSV is read and sent in batches".
 */
import { stringify } from 'csv-stringify/sync';

/** Null is an empty field. A number may be written as a decimal number with a fixed count of digits. */
type Field = string | number | Decimal | null;
interface Decimal {
  decimal: string;
}

/** The columns in their order: from each record of the contract, the field of its line. */
export type CsvColumns<Record> = Readonly<{ [column: string]: (record: Record) => Field }>;

/**
 * Returns the text of a CSV file piece by piece, one piece for each batch of records. The names of the columns are in
 * the first piece.
 */
export async function* csvOf<Stored, Record>(
  columns: CsvColumns<Record>,
  batches: AsyncIterable<readonly Stored[]>,
  view: (stored: Stored) => Record,
): AsyncIterableIterator<string> {
  const fields = Object.values(columns);
  const rowOf = (record: Record) => fields.map((fieldOf) => fieldOf(record));
  let names = linesOf([Object.keys(columns)]);
  for await (const batch of batches) {
    yield names + linesOf(batch.map((stored) => rowOf(view(stored))));
    names = '';
  }
  if (names) yield names;
}

function linesOf(rows: readonly (readonly Field[])[]): string {
  return stringify(rows as Field[][], {
    record_delimiter: 'windows',
    // A spreadsheet runs a text that looks like a formula, and customers and merchants choose some of these texts.
    // Numbers stay as they are, also negative ones.
    escape_formulas: true,
    cast: { object: ({ decimal }) => ({ value: String(decimal), escape_formulas: false }) },
  });
}
