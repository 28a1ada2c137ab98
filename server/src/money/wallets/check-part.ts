/**
 * One statement of the ledger check. It reads a part of the books from one snapshot, in `rows`, and finds what breaks a
 * fact in them.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, Writer } from '../../context.ts';
import { rowsOf } from '../../platform/database/statement.ts';

/** One sentence of an invariant, and a query for the rows that break it. Its columns are table, id, expected and found. */
export interface Fact {
  invariant: number;
  says: string;
  breaches: RawBuilder<unknown>;
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

export interface CheckContext extends Pick<Context, 'clock'> {
  em: Pick<Writer, 'getKysely'>;
  config: Pick<Context['config'], 'retentionDays'>;
}

/** What one statement found. */
export interface FoundBreaches {
  /** At most `maxListed` of each invariant. */
  breaches: Breach[];
  /** How many there are of each invariant. */
  totals: ReadonlyMap<number, number>;
}

export interface Part {
  /** Subqueries, without the word `with`, that hold the rows of the part. */
  rows: RawBuilder<unknown>;
  facts: readonly Fact[];
}

export const maxListed = 20;

/** Runs the statement. `answer` is a query for one row, which is returned with what was found. */
export async function checkPart<Answer>(
  context: CheckContext,
  { rows, facts }: Part,
  answer: RawBuilder<unknown>,
): Promise<FoundBreaches & { answer: Answer }> {
  const found = await rowsOf<FoundRow & { answer: Answer }>(context)`
    with ${rows},
    breach as (${sql.join(facts.map(breachesOf), sql` union all `)}),
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
  if (!first) throw new Error('The answer of a part is one row.');
  return { answer: first.answer, ...breachesIn(found) };
}

/** There is at least one row. When nothing is broken, it has the answer only. The driver returns counts as strings. */
interface FoundRow extends Omit<Breach, 'invariant'> {
  invariant: number | null;
  of_invariant: string;
}

function breachesOf({ invariant, says, breaches }: Fact): RawBuilder<unknown> {
  return sql`
    select ${invariant}::int as invariant, ${says}::text as says, row_table, row_id::text, expected::text, found::text
    from (${breaches}) as broken (row_table, row_id, expected, found)`;
}

function breachesIn(rows: readonly FoundRow[]): FoundBreaches {
  const totals = new Map<number, number>();
  const breaches = rows.flatMap(({ invariant, says, table, id, expected, found, of_invariant }) => {
    if (invariant === null) return [];
    totals.set(invariant, Number(of_invariant));
    return [{ invariant, says, table, id, expected, found }];
  });
  return { breaches, totals };
}
