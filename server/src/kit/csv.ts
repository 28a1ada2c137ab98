/**
 * Writes a list as CSV (RFC 4180): a header row, then one row for each record of the list, on all pages. The contract
 * describes the columns of each list.
 * See docs/decisions/figures.md, "A list as CSV is read and sent in batches".
 */
import { stringify } from 'csv-stringify/sync';

/** The value of a field. Null is an empty field. An amount is a decimal number with a fixed number of digits. */
type Field = string | number | bigint | Decimal | null;
interface Decimal {
  decimal: string;
}

/** The columns in their order. Each function gets a record of the contract, and returns the field of this record. */
export type CsvColumns<Record> = Readonly<{ [column: string]: (record: Record) => Field }>;

/**
 * Returns the text of a CSV file in chunks, one chunk for each batch of records. The first chunk also contains the
 * header row.
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
 * Finds the places where an apostrophe is inserted before a formula.
 *
 * Choice: the apostrophe is also inserted after each line break within a text. A program that splits the file at line
 * breaks, without looking at quotes, reads the text after a line break as the beginning of a row.
 */
const formulaBeginning =
  /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[\r\n\v\f\u0085\u2028\u2029])(?=[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * RFC 4180 does not require quotes around other control characters and line separators, or around leading and trailing
 * spaces, but some CSV readers do.
 */
const quotedAnyway = /[\p{Cc}\u2028\u2029]|^\s|\s$/u;

function linesOf(rows: readonly (readonly Field[])[]): string {
  return stringify(rows as Field[][], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_match: quotedAnyway,
    cast: {
      // A spreadsheet executes a text that looks like a formula, and customers and merchants choose some of these
      // texts. Numbers stay unchanged, even negative numbers.
      string: (text) => text.replace(formulaBeginning, "'"),
      object: ({ decimal }) => String(decimal),
    },
  });
}
