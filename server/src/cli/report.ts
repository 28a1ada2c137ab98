import { decimalAmount } from '../kit/money.ts';
import type { Sheet, Table } from './table.ts';

/** The result of a command. `json` is printed with `--json`, `answer` and `note` without it. */
export interface Report {
  record?: unknown;
  answer?: string | Table | Sheet;
  pieces?: AsyncIterable<string>;
  note?: string;
  /** Whether the command found a problem, although the command itself succeeded. The exit code is then 1. */
  failed?: boolean;
}

/** Shows the progress of a long command on standard error, if standard error is a terminal. */
export type Progress = (text: string) => void;

export interface Needs {
  seals?: boolean;
  takesLong?: boolean;
}

/** Choice: a list shows at most 100 records, which already exceed a screen; `--csv` prints all records. */
export const maxListed = 100;

export function listReport(record: readonly unknown[], answer: Table, total: number): Report {
  const note = total > maxListed ? { note: `Only ${maxListed} of ${total} are shown.` } : {};
  return { record, answer, ...note };
}

/** Formats an amount with the currency code, as in `NGN 5,000.00`, because several currencies share the sign $. */
export function shownAmount({ amount, currency }: { amount: number; currency: string }): string {
  const decimal = decimalAmount(amount, currency);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${currency} ${format.format(decimal as `${number}`)}`;
}
