/**
 * A list as CSV (RFC 4180): one line with the names of the columns, then one line for each record, all records of the
 * list. The columns of each list are in the contract.
 * See docs/decisions/figures.md, "A list as CSV is read and sent in batches".
 */
import { stringify } from 'csv-stringify/sync';

/** Null is an empty field. A number may be written as a decimal number with a fixed count of digits. */
type Field = string | number | bigint | Decimal | null;
interface Decimal {
  decimal: string;
}

/**
 * The columns in their order. Each function gets a record of the contract, and returns the field for the line of that
 * record.
 */
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

/**
 * Choice: the mark stands after each line break within a text too, because a program that splits the file at line breaks,
 * without looking at quotes, takes what follows for the beginning of a row.
 */
const formulaBeginning =
  /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[\r\n\v\f\u0085\u2028\u2029])(?=[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** RFC 4180 needs no quotes around other controls and line breaks, or around blanks at an end, but some readers do. */
const quotedAnyway = /[\p{Cc}\u2028\u2029]|^\s|\s$/u;

function linesOf(rows: readonly (readonly Field[])[]): string {
  return stringify(rows as Field[][], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_match: quotedAnyway,
    cast: {
      // A spreadsheet runs a text that looks like a formula, and customers and merchants choose some of these texts.
      // Numbers stay as they are, also negative ones.
      string: (text) => text.replace(formulaBeginning, "'"),
      object: ({ decimal }) => String(decimal),
    },
  });
}
