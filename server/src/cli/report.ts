import { mostListed } from './arguments.ts';
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

/** The report of a list that shows `mostListed` of `total` records. */
export function listReport(record: readonly unknown[], answer: Table, total: number): Report {
  const note = total > mostListed ? { note: `Only ${mostListed} of ${total} are shown.` } : {};
  return { record, answer, ...note };
}
