/** Runs one statement of the ledger check. It reads a batch of the books, and finds the rows that break an invariant. */
import { type RawBuilder, sql } from 'kysely';
import type { Writer } from '../../../context.ts';
import { rowsOf } from '../../../platform/database/statement.ts';

/** One of the ten invariants. Its rules are grouped by the rows that they read. */
export interface Invariant {
  number: number;
  /** What the database must refuse. These rules read only the catalogue of Postgres, and are checked once for all books. */
  database?: Rules;
  /** Rules that read `account`, `open_transfer` and `open_refund`: all rows of some merchants. */
  balances?: Rules;
  /** Rules that read `account` and `entry`: the next entries of some accounts. */
  entries?: Rules;
  /** Rules that read `posting` and `entry`: the postings of a range of references, or some without one, and their entries. */
  postings?: Rules;
  /** Rules that read `paid`, `sent`, `refunded` and `told`: payments, transfers, refunds and events of a range of references. */
  records?: Rules;
}

/** The sentence of each rule, with a query for the rows that break it. Its columns are table, id, expected and found. */
type Rules = Readonly<Record<string, RawBuilder<unknown> | ((limits: Limits) => RawBuilder<unknown>)>>;

interface Limits {
  /** How many rows of a table a batch has. */
  batchSize: number;
  /** Events from before this time may have been purged, so a missing one is no breach. */
  eventsKeptSince: Date;
}

/** What the statements of one check have in common. */
export interface Check extends Limits {
  em: Pick<Writer, 'getKysely'>;
  invariants: readonly Invariant[];
}

/** A row that breaks an invariant. */
export interface Breach {
  /** The invariant's number, 1 to 10. */
  invariant: number;
  says: string;
  table: string;
  id: string;
  expected: string;
  found: string;
}

/** What one statement found, and how many rows of a kind it read for the first time. */
export interface Found {
  /** At most `maxListed` of each invariant. */
  breaches: Breach[];
  /** How many there are of each invariant. */
  totals: ReadonlyMap<number, number>;
  accounts?: number;
  transactions?: number;
  entries?: number;
}

export interface Batch {
  /** Subqueries, without the word `with`, that hold the rows of the batch. */
  rows: RawBuilder<unknown>;
  /** The groups of rules that read these rows. */
  groups: readonly Exclude<keyof Invariant, 'number'>[];
  /** A query for one row. The row is returned with the breaches. */
  answer?: RawBuilder<unknown>;
}

export const maxListed = 20;

export async function checkBatch<Answer>(
  check: Check,
  { rows, groups, answer = sql`select 0 as nothing` }: Batch,
): Promise<Found & { answer: Answer }> {
  const breaches = groups.flatMap((group) =>
    check.invariants.flatMap((invariant) =>
      Object.entries(invariant[group] ?? {}).map(
        ([says, broken]) => sql`
          select ${invariant.number}::int as invariant, ${says}::text as says, row_table, row_id::text, expected::text, found::text
          from (${typeof broken === 'function' ? broken(check) : broken}) as broken (row_table, row_id, expected, found)`,
      ),
    ),
  );
  const found = await rowsOf<FoundRow & { answer: Answer }>(check)`
    with ${rows},
    breach as (${sql.join(breaches, sql` union all `)}),
    placed as (
      select invariant, says, row_table, row_id, expected, found,
        row_number() over (partition by invariant order by says, row_table, row_id) as place,
        count(invariant) over (partition by invariant) as of_invariant
      from breach
    )
    select to_json(answer) as answer, placed.invariant, placed.says, placed.row_table as "table", placed.row_id as id,
      placed.expected, placed.found, placed.of_invariant
    from (${answer}) as answer left join placed on placed.place <= ${maxListed}
    order by placed.invariant, placed.place`;
  const [first] = found;
  if (!first) throw new Error('The statement of a batch returned no row.');
  return { answer: first.answer, ...breachesIn(found) };
}

/** There is at least one row. When nothing is broken, it has the answer only. The driver returns counts as strings. */
interface FoundRow extends Omit<Breach, 'invariant'> {
  invariant: number | null;
  of_invariant: string;
}

function breachesIn(rows: readonly FoundRow[]): Found {
  const totals = new Map<number, number>();
  const breaches = rows.flatMap(({ invariant, says, table, id, expected, found, of_invariant }) => {
    if (invariant === null) return [];
    totals.set(invariant, Number(of_invariant));
    return [{ invariant, says, table, id, expected, found }];
  });
  return { breaches, totals };
}

/** The triggers of the ledger that are missing or switched off. */
export function withoutTriggers(names: readonly string[]): RawBuilder<unknown> {
  return sql`
    select 'pg_trigger', name, 'enabled', coalesce(max('set to ' || tgenabled::text), 'missing')
    from unnest(${names}::text[]) as needed (name)
    left join pg_trigger on tgname = name
      and tgrelid in (to_regclass('ledger_entry'), to_regclass('ledger_transaction'))
    group by name having count(tgname) filter (where tgenabled in ('O', 'A')) = 0`;
}
