// See docs/decisions/figures.md, "A list as CSV is read and sent in batches".
import { stringify } from 'csv-stringify/sync';

type Field = string | number | bigint | Decimal | null;
interface Decimal {
  decimal: string;
}

export type CsvColumns<Record> = Readonly<{ [column: string]: (record: Record) => Field }>;

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
 * Choice: an apostrophe is inserted before a formula, also after a line break within a text, because some programs
 * split a CSV file at line breaks without looking at quotes.
 */
const formulaBeginning =
  /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[\r\n\v\f\u0085\u2028\u2029])(?=[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** RFC 4180 requires no quotes around control characters and outer spaces, but some CSV readers do. */
const quotedAnyway = /[\p{Cc}\u2028\u2029]|^\s|\s$/u;

function linesOf(rows: readonly (readonly Field[])[]): string {
  return stringify(rows as Field[][], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_match: quotedAnyway,
    cast: {
      // A spreadsheet executes a text that looks like a formula, and customers and merchants choose some of the texts.
      string: (text) => text.replace(formulaBeginning, "'"),
      object: ({ decimal }) => String(decimal),
    },
  });
}
