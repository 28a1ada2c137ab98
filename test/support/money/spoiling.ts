/** SQL that breaks an invariant of the ledger, and what the check then reports. */
export interface Spoiling {
  invariant: number;
  /** The broken rule, in the words of the check. */
  says: string;
  title: string;
  /** The statements, with ids of the books as `:names`. */
  sql: string;
  /** The row that the check must report: its table, and its name in the books or its own name. */
  row: string;
  found: string | RegExp;
}
