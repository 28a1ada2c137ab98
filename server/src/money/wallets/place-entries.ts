/**
 * The entries of an account are numbered without gaps, and a higher number means a later time, except for differences
 * between clocks. So a binary search over the numbers finds the ends of a period, and only entries near the ends are
 * compared one by one.
 * See docs/decisions/figures.md, "A page of a statement is found by the numbers of its entries".
 */
import type { Context } from '../../context.ts';
import type { TimeRange } from '../../kit/hours.ts';
import type { Page } from '../../kit/pagination.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';
import type { LedgerAccount } from './ledger-account.entity.ts';

/** A page has the entries of a period with numbers above `after` and at most `upTo`, newest first, from `offset` on. */
export interface EntryPlace {
  after: number;
  upTo: number;
  offset: number;
  total: number;
}

interface Numbers {
  after: number;
  upTo: number;
}

/** Choice: ten minutes are more than any difference between clocks, and longer than any transaction that posts. */
const marginMs = 10 * 60_000;

interface StatementQuery {
  account: Pick<LedgerAccount, 'id' | 'entryCount'>;
  time: TimeRange;
}

export async function placeEntries(context: Context, query: StatementQuery, page: Page): Promise<EntryPlace> {
  const all = Number(query.account.entryCount);
  const { from, to } = query.time;
  if ((from || to) && !(await isOrderedByTime(context, query))) {
    const numbers = { after: 0, upTo: all };
    return { ...numbers, offset: page.offset, total: await countWithin(context, query, numbers) };
  }
  const { first, last } = await numbersNear(context, query);
  const start = first ?? { after: 0, upTo: 0 };
  const end = last ?? { after: all, upTo: all };
  const whole = { after: start.after, upTo: end.upTo };
  // In a short period, the ranges of entries near its start and its end overlap.
  if (end.after <= start.upTo)
    return { ...whole, offset: page.offset, total: await countWithin(context, query, whole) };
  const late = last ? await countWithin(context, query, end) : 0;
  const early = first ? await countWithin(context, query, start) : 0;
  const between = end.after - start.upTo;
  const total = late + between + early;
  const { offset } = page;
  if (offset < late) return { ...whole, offset, total };
  if (offset < late + between) return { after: start.after, upTo: end.after - (offset - late), offset: 0, total };
  return { after: start.after, upTo: start.upTo, offset: offset - late - between, total };
}

/** Entries with UUIDs of version 4 are from migration 009, and out of order in an account that had earlier entries. */
async function isOrderedByTime(context: Context, { account }: StatementQuery): Promise<boolean> {
  const rows = await rowsOutsideTransaction<{ first: number | null }>(context)`
    select min(number)::float8 as first from ledger_entry
    where account_id = ${account.id} and substr(id::text, 15, 1) = '4'`;
  return (rows[0]?.first ?? 1) === 1;
}

async function numbersNear(context: Context, { account, time: { from, to } }: StatementQuery) {
  const moments = [from, to].flatMap((moment) => {
    const ms = moment?.getTime();
    return ms === undefined ? [null, null] : [ms - marginMs, ms + marginMs];
  });
  if (!from && !to) return { first: null, last: null };
  const rows = await rowsOutsideTransaction<{ place: number; number: number }>(context)`
    with recursive search (place, at, low, high) as (
      select place, to_timestamp(ms / 1000), 0::bigint, ${account.entryCount.toString()}::bigint
      from unnest(${moments}::float8[]) with ordinality as moment (ms, place) where ms is not null
      union all
      select place, at, case when is_before then middle else low end, case when is_before then high else middle - 1 end
      from search
      cross join lateral (select (low + high + 1) / 2 as middle) as half
      cross join lateral (
        select created_at < at as is_before
        from ledger_entry join ledger_transaction on ledger_transaction.id = transaction_id
        where account_id = ${account.id} and number = middle
      ) as entry
      where low < high
    )
    select place::int, low::float8 as number from search where low = high`;
  const numberAt = (place: number) => {
    const row = rows.find((each) => each.place === place);
    if (!row) throw new Error(`The entry numbers of account ${account.id} have a gap.`);
    return row.number;
  };
  return {
    first: from ? { after: numberAt(1), upTo: numberAt(2) } : null,
    last: to ? { after: numberAt(3), upTo: numberAt(4) } : null,
  };
}

/** With a join, Postgres may read the whole ledger, because it expects the same number of entries in every account. */
async function countWithin(
  context: Context,
  { account, time: { from, to } }: StatementQuery,
  { after, upTo }: Numbers,
) {
  const rows = await rowsOutsideTransaction<{ entries: number }>(context)`
    select count(*)::float8 as entries
    from ledger_entry cross join lateral (
      select created_at from ledger_transaction where ledger_transaction.id = transaction_id offset 0) as posting
    where account_id = ${account.id} and number > ${after} and number <= ${upTo}
      and created_at >= ${from?.toISOString() ?? '-infinity'}::timestamptz
      and created_at < ${to?.toISOString() ?? 'infinity'}::timestamptz`;
  return rows[0]?.entries ?? 0;
}
