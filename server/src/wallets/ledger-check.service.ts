/**
 * Holds the books to the ten invariants of money, as they are in the database and not as the code believes them to be. All of
 * it is one statement, so it sees one moment of a database that goes on working, and locks nothing. Each table is read a fixed
 * number of times, whatever its size. What each invariant means in SQL stands in `book-facts.ts` and `source-facts.ts`.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, Writer } from '../context.ts';
import { rowsOf } from '../database/statement.ts';
import { bookFacts, type Fact } from './book-facts.ts';
import { sourceFacts } from './source-facts.ts';

/** A row that says otherwise than an invariant. */
export interface Breach {
  /** 1 to 10, in the order of the design. */
  invariant: number;
  says: string;
  table: string;
  id: string;
  expected: string;
  found: string;
}

export interface LedgerCheck {
  accounts: number;
  transactions: number;
  entries: number;
  /** By invariant, of each only the first. */
  breaches: Breach[];
  /** What is not among them. */
  unlisted: { invariant: number; count: number }[];
}

interface CheckContext extends Pick<Context, 'clock'> {
  em: Pick<Writer, 'getKysely'>;
  config: Pick<Context['config'], 'retentionDays'>;
}

const mostListed = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Checks everybody's books, or those of one merchant. */
export async function checkLedger(
  context: CheckContext,
  { merchantId }: { merchantId?: string } = {},
): Promise<LedgerCheck> {
  const { clock, config } = context;
  // An hour less than events are kept: the clock that purges them and the one that made them may be of two machines.
  const toldSince = new Date(clock.now().getTime() - config.retentionDays * dayMs + hourMs);
  const facts = [...bookFacts, ...sourceFacts(toldSince)];
  const rows = await rowsOf<FoundRow>(context)`
    with ${scopeOf(merchantId)},
    breach as (${sql.join(facts.map(breachesOf), sql` union all `)}),
    placed as (
      select invariant, says, row_table, row_id, expected, found,
        row_number() over (partition by invariant order by says, row_table, row_id) as place,
        count(invariant) over (partition by invariant) as of_invariant
      from breach
    )
    select counted.accounts, counted.transactions, counted.entries, placed.invariant, placed.says,
      placed.row_table as "table", placed.row_id as id, placed.expected, placed.found, placed.of_invariant
    from (select (select count(id) from account) as accounts, (select count(id) from posting) as transactions,
      (select count(id) from entry) as entries) as counted
    left join placed on placed.place <= ${mostListed}
    order by placed.invariant, placed.place`;
  return summed(rows);
}

/** There is one row at least, of nothing but the counts. The driver gives them as strings. */
interface FoundRow extends Omit<Breach, 'invariant'> {
  accounts: string;
  transactions: string;
  entries: string;
  invariant: number | null;
  of_invariant: string;
}

/**
 * Every fact reads these instead of the tables. Of one merchant they are few rows, worth keeping; of everybody they are the
 * tables, which must not be copied first.
 */
function scopeOf(merchantId: string | undefined): RawBuilder<unknown> {
  const kept = merchantId === undefined ? sql`not materialized` : sql`materialized`;
  const isTheirs = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`;
  const isOfTheirs =
    merchantId === undefined
      ? sql`true`
      : sql`account_id = any (array(select id from account)) or transaction_id = any (array(select id from posting))`;
  return sql`
    account as ${kept} (
      select id, merchant_id, mode, currency, kind, balance, entry_count from ledger_account where ${isTheirs}),
    posting as ${kept} (
      select id, merchant_id, mode, currency, kind, source_id, reference from ledger_transaction where ${isTheirs}),
    entry as ${kept} (
      select id, transaction_id, account_id, number, amount, balance from ledger_entry where ${isOfTheirs}),
    paid as ${kept} (
      select id, merchant_id, mode, currency, reference, amount, status, completed_at, updated_at
      from payment where ${isTheirs}),
    sent as ${kept} (
      select id, merchant_id, mode, currency, reference, amount, fee, status, completed_at, updated_at
      from transfer where ${isTheirs}),
    told as ${kept} (
      select id, merchant_id, mode, reference, name from event
      where reference is not null and name in ('checkout.success', 'checkout.failed', 'transfer.success', 'transfer.failed')
        and ${isTheirs})`;
}

function breachesOf({ invariant, says, breaches }: Fact): RawBuilder<unknown> {
  return sql`
    select ${invariant}::int as invariant, ${says}::text as says, row_table, row_id::text, expected::text, found::text
    from (${breaches}) as broken (row_table, row_id, expected, found)`;
}

function summed(rows: FoundRow[]): LedgerCheck {
  const breaches = rows.flatMap(({ invariant, says, table, id, expected, found }) =>
    invariant === null ? [] : [{ invariant, says, table, id, expected, found }],
  );
  const totals = new Map(rows.map(({ invariant, of_invariant }) => [invariant, Number(of_invariant)]));
  const unlisted = [...totals].flatMap(([invariant, total]) =>
    invariant !== null && total > mostListed ? [{ invariant, count: total - mostListed }] : [],
  );
  const [counts] = rows;
  return {
    accounts: Number(counts?.accounts),
    transactions: Number(counts?.transactions),
    entries: Number(counts?.entries),
    breaches,
    unlisted,
  };
}
