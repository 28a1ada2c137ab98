import { type RawBuilder, sql } from 'kysely';
import type { Writer } from '../../../context.ts';
import { rowsOf } from '../../../platform/database/statement.ts';

/** One of the ten invariants of the ledger. Its rules are grouped by the rows that they read. */
export interface Invariant {
  number: number;
  /** Rules about changes that the database must refuse. They read only the system catalog, once for all merchants. */
  database?: Rules;
  /** Rules that read `account`, `open_transfer` and `open_refund`. */
  balances?: Rules;
  /** Rules that read `account` and `entry`. */
  entries?: Rules;
  /** Rules that read `posting` and `entry`. */
  postings?: Rules;
  /** Rules that read `paid`, `sent`, `refunded` and `told`: payments, transfers, refunds and events. */
  records?: Rules;
}

/** Maps the sentence of each rule to a query for its breaches, with the columns table, id, expected and found. */
type Rules = Readonly<Record<string, RawBuilder<unknown> | ((limits: Limits) => RawBuilder<unknown>)>>;

interface Limits {
  /** The approximate maximum number of rows of each table in a batch. */
  batchSize: number;
  /** Events from before this time may have been purged, so a missing event breaks no rule. */
  eventsKeptSince: Date;
}

export interface Check extends Limits {
  em: Pick<Writer, 'getKysely'>;
  invariants: readonly Invariant[];
}

export interface Breach {
  /** The invariant's number, 1 to 10. */
  invariant: number;
  says: string;
  table: string;
  id: string;
  expected: string;
  found: string;
}

/** `accounts`, `transactions` and `entries` count only records that no earlier statement of the check has read. */
export interface Found {
  /** At most `maxListed` breaches of each invariant. */
  breaches: Breach[];
  /** The number of all breaches of each invariant, including breaches beyond `maxListed`. */
  totals: ReadonlyMap<number, number>;
  accounts?: number;
  transactions?: number;
  entries?: number;
}

export interface Batch {
  /** Common table expressions, without the word `with`, that select the rows of the batch. */
  rows: RawBuilder<unknown>;
  groups: readonly Exclude<keyof Invariant, 'number'>[];
  /** A query for one row, which `checkBatch` returns together with the breaches. */
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
  if (!first) throw new Error('A statement of the ledger check returned no row.');
  return { answer: first.answer, ...breachesIn(found) };
}

/** Without a breach, the only row has null in all columns but `answer`. The driver returns counts as strings. */
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

export function withoutTriggers(names: readonly string[]): RawBuilder<unknown> {
  return sql`
    select 'pg_trigger', name, 'enabled', coalesce(max('set to ' || tgenabled::text), 'missing')
    from unnest(${names}::text[]) as needed (name)
    left join pg_trigger on tgname = name
      and tgrelid in (to_regclass('ledger_entry'), to_regclass('ledger_transaction'))
    group by name having count(tgname) filter (where tgenabled in ('O', 'A')) = 0`;
}
