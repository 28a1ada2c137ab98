/**
 * Checks the ten invariants of money against the rows in the database. The check is one SQL statement: it sees one
 * snapshot while the service goes on working, and it locks nothing. It reads each table a fixed number of times,
 * whatever the table's size. `book-facts.ts`, `source-facts.ts` and `refund-facts.ts` define each invariant in SQL.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, Writer } from '../context.ts';
import { rowsOf } from '../database/statement.ts';
import { bookFacts, type Fact } from './book-facts.ts';
import { refundFacts } from './refund-facts.ts';
import { reportedEvents, sourceFacts } from './source-facts.ts';

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

export interface LedgerCheck {
  accounts: number;
  transactions: number;
  entries: number;
  /** Ordered by invariant; at most `mostListed` of each. */
  breaches: Breach[];
  /** How many more breaches each invariant has that are not in `breaches`. */
  unlisted: { invariant: number; count: number }[];
}

export interface CheckContext extends Pick<Context, 'clock'> {
  em: Pick<Writer, 'getKysely'>;
  config: Pick<Context['config'], 'retentionDays'>;
}

const maxListed = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Checks the ledger of all merchants, or of one. */
export async function checkLedger(
  context: CheckContext,
  { merchantId }: { merchantId?: string } = {},
): Promise<LedgerCheck> {
  const { clock, config } = context;
  // One hour less than the retention of events, because the clock
  // that dated them and the one that purges them may differ.
  const eventsKeptSince = new Date(clock.now().getTime() - config.retentionDays * dayMs + hourMs);
  const facts = [...bookFacts, ...sourceFacts(eventsKeptSince), ...refundFacts];
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
    left join placed on placed.place <= ${maxListed}
    order by placed.invariant, placed.place`;
  return toLedgerCheck(rows);
}

/** There is at least one row. When nothing is broken, it has the counts only. The driver returns counts as strings. */
interface FoundRow extends Omit<Breach, 'invariant'> {
  accounts: string;
  transactions: string;
  entries: string;
  invariant: number | null;
  of_invariant: string;
}

/**
 * The subqueries that every fact reads instead of the tables. For one merchant they have few rows, so Postgres
 * materializes them. For all merchants they are whole tables, which it must not copy.
 */
function scopeOf(merchantId: string | undefined): RawBuilder<unknown> {
  const kept = merchantId === undefined ? sql`not materialized` : sql`materialized`;
  const isOfMerchant = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`;
  const isEntryOfMerchant =
    merchantId === undefined
      ? sql`true`
      : sql`account_id = any (array(select id from account)) or transaction_id = any (array(select id from posting))`;
  return sql`
    account as ${kept} (
      select id, merchant_id, mode, currency, kind, balance, entry_count from ledger_account where ${isOfMerchant}),
    posting as ${kept} (
      select id, merchant_id, mode, currency, kind, source_id, reference from ledger_transaction where ${isOfMerchant}),
    entry as ${kept} (
      select id, transaction_id, account_id, number, amount, balance from ledger_entry where ${isEntryOfMerchant}),
    paid as ${kept} (
      select id, merchant_id, mode, currency, reference, amount, amount_refunded, status, expiry_reason, completed_at,
        updated_at
      from payment where ${isOfMerchant}),
    sent as ${kept} (
      select id, merchant_id, mode, currency, reference, amount, fee, status, completed_at, updated_at
      from transfer where ${isOfMerchant}),
    refunded as ${kept} (
      select id, payment_id, merchant_id, mode, currency, reference, amount, status, is_posted, completed_at, updated_at
      from refund where ${isOfMerchant}),
    told as ${kept} (
      select id, merchant_id, mode, reference, name from event
      where reference is not null and name in (${sql.join(reportedEvents)}) and ${isOfMerchant})`;
}

function breachesOf({ invariant, says, breaches }: Fact): RawBuilder<unknown> {
  return sql`
    select ${invariant}::int as invariant, ${says}::text as says, row_table, row_id::text, expected::text, found::text
    from (${breaches}) as broken (row_table, row_id, expected, found)`;
}

function toLedgerCheck(rows: FoundRow[]): LedgerCheck {
  const breaches = rows.flatMap(({ invariant, says, table, id, expected, found }) =>
    invariant === null ? [] : [{ invariant, says, table, id, expected, found }],
  );
  const totals = new Map(rows.map(({ invariant, of_invariant }) => [invariant, Number(of_invariant)]));
  const unlisted = [...totals].flatMap(([invariant, total]) =>
    invariant !== null && total > maxListed ? [{ invariant, count: total - maxListed }] : [],
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
