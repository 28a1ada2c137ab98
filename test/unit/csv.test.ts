import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readContract } from '@tillhook/openapi';
import { type CsvColumns, csvOf } from '@tillhook/server/src/kit/csv.ts';
import { customerColumns } from '@tillhook/server/src/money/customers/customer.view.ts';
import { paymentColumns } from '@tillhook/server/src/money/payments/payment.view.ts';
import { refundColumns } from '@tillhook/server/src/money/refunds/refund.view.ts';
import { transferColumns } from '@tillhook/server/src/money/transfers/transfer.view.ts';
import { entryColumns } from '@tillhook/server/src/money/wallets/wallets.view.ts';
import { auditColumns } from '@tillhook/server/src/people/audit/audit-entry.view.ts';
import { deliveryColumns } from '@tillhook/server/src/webhooks/log/delivery.view.ts';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

const formulas = '=+-@\t＝＋－＠';
const lineBreaks = '\r\n\v\f\u0085\u2028\u2029';
const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((it) =>
  /\p{Cc}/u.test(it),
);
const texts = fc
  .array(
    fc.constantFrom(...formulas, ...lineBreaks, ...controls, '"', "'", ',', ';', ' ', '\r\n', 'a', '1', 'é', '🎟'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

function marked(text: string): string {
  const lines = text.split(/(\r\n|[\r\n\v\f\u0085\u2028\u2029])/);
  const safe = lines.map((line) => (line !== '' && formulas.includes(line.charAt(0)) ? `'${line}` : line)).join('');
  return /^[\r\n]/.test(safe) ? `'${safe}` : safe;
}

/**
 * A strict reader of RFC 4180: fields with text and control characters must have quotes, and a row must end with CR
 * and LF.
 */
function strictRows(file: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (field.lastIndex < file.length) {
    const at = field.lastIndex;
    const [, quoted, plain = '', end] = field.exec(file) ?? [];
    if (end === undefined) throw new Error(`The reader found no field at ${JSON.stringify(file.slice(at, at + 40))}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

async function fileOf<Record>(columns: CsvColumns<Record>, records: Record[]): Promise<string> {
  const batches = (async function* () {
    yield records;
  })();
  return text(Readable.from(csvOf(columns, batches, (record) => record)));
}

function beginsNoLineWithAFormula(file: string): boolean {
  return file.split(/[\r\n\v\f\u0085\u2028\u2029]/).every((line) => !formulas.includes(line.charAt(0)) || line === '');
}

test('CSV readers return every text unchanged, except for a mark before each line that begins with a formula', async (t) => {
  const columns: CsvColumns<string[]> = { one: ([one = '']) => one, two: ([, two = '']) => two, end: () => 7 };

  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 4 }), async (records) => {
      const file = await fileOf(columns, records);

      const expected = [['one', 'two', 'end'], ...records.map((fields) => [...fields.map(marked), '7'])];
      t.deepEqual(strictRows(file), expected);
      t.deepEqual(parse(file, { record_delimiter: ['\r\n', '\n', '\r'] }), expected);
      t.true(beginsNoLineWithAFormula(file), file);
    }),
    { numRuns: 1000 },
  );
});

const exports: Record<string, CsvColumns<never>> = {
  listPayments: paymentColumns,
  listRefunds: refundColumns,
  listCustomers: customerColumns,
  listDeliveries: deliveryColumns,
  listTransfers: transferColumns,
  listWalletEntries: entryColumns,
  listAuditEntries: auditColumns,
};

test('every list that can answer in CSV is tested below', (t) => {
  const withCsv = readContract().model.operations.filter(({ success }) => success.csv);
  t.deepEqual(
    withCsv.map(({ id }) => id),
    Object.keys(exports) as (typeof withCsv)[number]['id'][],
  );
});

for (const [id, columns] of Object.entries(exports)) {
  test(`${id}: any text in any field leaves the rows and columns intact, and no line begins with a formula`, async (t) => {
    const example = readContract().model.operationById.get(id)?.success.content?.examples.get('basic')?.value;
    const [record] = Object.values(example as object).find((value) => Array.isArray(value)) as object[];

    await fc.assert(
      fc.asyncProperty(texts, async (each) => {
        const filled = withText(record, each) as never;
        const file = await fileOf(columns, [filled, filled]);

        const row = Object.values(columns).map((fieldOf) => shown(fieldOf(filled)));
        t.true(row.filter((field) => field === marked(each)).length > 2);
        t.deepEqual(strictRows(file), [Object.keys(columns), row, row]);
        t.true(beginsNoLineWithAFormula(file), file);
      }),
      { numRuns: 200 },
    );
  });
}

function shown(field: string | number | bigint | { decimal: string } | null): string {
  if (typeof field === 'string') return marked(field);
  return String(typeof field === 'object' ? (field?.decimal ?? '') : field);
}

function withText(value: unknown, text: string, name = ''): unknown {
  if (name === 'currency') return value;
  if (value === null || typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((each) => withText(each, text));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withText(each, text, key)]));
}
