import { decimalAmount } from '../kit/money.ts';
import type { Sheet, Table } from './table.ts';

/** The result of a command. With `--json` the record is printed, otherwise the answer and the note. */
export interface Report {
  /** The result as JSON. Undefined for a file, which is never JSON. */
  record?: unknown;
  /** The answer for the operator: a new secret alone, a table, or one record. It is printed to standard output. */
  answer?: string | Table | Sheet;
  /** A long answer, which is printed in chunks while it is read. */
  pieces?: AsyncIterable<string>;
  /** A remark about the answer. It is printed to standard error. */
  note?: string;
  /** Whether the check of a command found a problem, although the command itself succeeded: the exit code is 1. */
  failed?: boolean;
}

/** Shows the progress of a long command, on standard error and only at a terminal. */
export type Progress = (text: string) => void;

/** The needs of a command besides the database. */
export interface Needs {
  /** Whether the command decrypts stored secrets. Other commands work without MASTER_KEYS. */
  seals?: boolean;
  /** Whether the SQL statements of the command may take longer than those of the server. */
  takesLong?: boolean;
}

/**
 * The maximum number of payments, refunds or deliveries that a list shows.
 *
 * Choice: a person reads a list, and 100 lines already exceed a screen; `--csv` prints all payments.
 */
export const maxListed = 100;

/** Returns the report of a list that shows `maxListed` of `total` records. */
export function listReport(record: readonly unknown[], answer: Table, total: number): Report {
  const note = total > maxListed ? { note: `Only ${maxListed} of ${total} are shown.` } : {};
  return { record, answer, ...note };
}

/**
 * Formats an amount as `NGN 5,000.00`, with the currency code and no currency sign, because several currencies share
 * the sign $.
 */
export function shownAmount({ amount, currency }: { amount: number; currency: string }): string {
  const decimal = decimalAmount(amount, currency);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${currency} ${format.format(decimal as `${number}`)}`;
}
