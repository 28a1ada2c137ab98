import { decimalAmount } from '../kit/money.ts';
import type { Sheet, Table } from './table.ts';

/** The result of a command. With `--json` the record is printed, otherwise the answer and the note. */
export interface Report {
  /** Undefined for a file, which is never JSON. */
  record?: unknown;
  /** What the operator asked for: a new secret alone, a table, or one record. It goes to standard output. */
  answer?: string | Table | Sheet;
  /** A long answer, which is printed piece by piece while it is read. */
  pieces?: AsyncIterable<string>;
  /** A remark about the answer. It goes to standard error. */
  note?: string;
  /** The command worked, and its check found something wrong: the exit code is 1. */
  failed?: boolean;
}

/** Shows how far a long command is, on standard error and only at a terminal. */
export type Progress = (text: string) => void;

/** What a command needs besides the database. */
export interface Needs {
  /** Whether the command decrypts stored secrets. The other commands work without MASTER_KEYS. */
  seals?: boolean;
  /** Whether its SQL statements may take longer than those of the server. */
  takesLong?: boolean;
}

/**
 * The most payments, refunds or deliveries that a list shows.
 * Choice: a list is read by a person, and a hundred lines are more than fit on a screen. `--csv` prints all payments.
 */
export const maxListed = 100;

/** The report of a list that shows `maxListed` of `total` records. */
export function listReport(record: readonly unknown[], answer: Table, total: number): Report {
  const note = total > maxListed ? { note: `Only ${maxListed} of ${total} are shown.` } : {};
  return { record, answer, ...note };
}

/** Writes an amount as `NGN 5,000.00`: with the code and not a sign, because several currencies use the sign $. */
export function shownAmount({ amount, currency }: { amount: number; currency: string }): string {
  const decimal = decimalAmount(amount, currency);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${currency} ${format.format(decimal as `${number}`)}`;
}
