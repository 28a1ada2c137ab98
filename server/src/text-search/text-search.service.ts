/**
 * Finds the merchant's records of one mode by parts of their texts.
 * See docs/decisions/figures.md, "A search reads the newest records first, then an index of trigrams".
 */
import { raw } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithOwner } from '../context.ts';
import type { TimeRange } from '../kit/hours.ts';
import { idsOf, isId } from '../kit/ids.ts';
import { timeOf } from '../kit/pagination.ts';
import { searchedRows } from '../platform/database/statement.ts';
import { indexedTerms, matching, termsOf } from './search-terms.ts';
import { type LongKind, listOf, longKinds, newestWords, type ShortKind, shortKinds } from './searched-kinds.ts';

export type Searching = Context & WithOwner;

/** A record is found if its words match each of the terms. */
export interface Sought {
  wanted: string;
  terms: string[][];
}

interface Bounds {
  /** The newest records are found first. */
  limit: number;
  time?: TimeRange;
  /** The number of newest records that are read one by one. */
  depth?: number;
}

/** The maximum number of records that a list with a search has. */
export const maxFound = 1_000;
const usualDepth = 5_000;
/** If the newest records promise enough hits among twenty times as many, these are read before the index is. */
const furtherDepth = 20;
/** A term is frequent if it matches more than one in fifty records. */
const frequentShare = 50;

/** Returns null if nothing is to be found, because the text has no words. */
export function soughtIn(typed: string): Sought | null {
  const terms = termsOf(typed, { areDigitsAmounts: true });
  return terms.length === 0 ? null : { wanted: typed.trim(), terms };
}

/** Returns a condition for a list, and an empty one if the list is not searched. */
export async function whereFound(
  context: Searching,
  kind: LongKind,
  { search = '', from, to }: { search?: string; from?: string; to?: string },
): Promise<object> {
  const sought = soughtIn(search);
  if (!sought) return {};
  return withIds(await findIds(context, kind, sought, { limit: maxFound, time: timeOf({ from, to }) }));
}

/** The same as `whereFound`, for a kind of which there are few. */
export async function whereShortFound(
  context: Searching,
  kind: ShortKind,
  { search = '' }: { search?: string },
): Promise<object> {
  const sought = soughtIn(search);
  return sought ? withIds(await findShortIds(context, kind, sought, { limit: maxFound })) : {};
}

/** One value, because Postgres plans a statement with a thousand values for most of a tenth of a second. */
const withIds = (ids: readonly string[]) => ({ [raw('id = any(?::uuid[])', [`{${ids.join(',')}}`])]: [] });

/** Returns ids, the newest first. A whole reference or id is found in every case. */
export async function findIds(context: Searching, kind: LongKind, sought: Sought, bounds: Bounds): Promise<string[]> {
  const { merchantId, mode } = context.principal;
  const { table } = longKinds[kind];
  const { wanted } = sought;
  const byId = isId(wanted) ? sql`or id = ${wanted}` : sql``;
  return idsMatching(context, sought, {
    ...bounds,
    list: listOf(mode, kind),
    exact: sql`
      select id from ${table}
      where merchant_id = ${merchantId} and mode = ${mode} and (reference = ${wanted} ${byId})
        and ${within(bounds.time)}
      union all`,
    fresh: newestWords(
      longKinds[kind],
      sql`merchant_id = ${merchantId} and mode = ${mode} and ${within(bounds.time)}
        and id > (select until from search_progress where kind = ${kind})`,
      bounds.depth ?? usualDepth,
    ),
  });
}

interface Sources extends Bounds {
  list: string;
  /** Finds one record by its reference or id. */
  exact?: RawBuilder<unknown>;
  /** Reads the words of the records that are not in `search_record` yet. */
  fresh?: RawBuilder<unknown>;
}

export async function idsMatching(
  context: Searching,
  { terms }: Pick<Sought, 'terms'>,
  sources: Sources,
): Promise<string[]> {
  const { list, limit, time, depth = usualDepth, exact = sql``, fresh } = sources;
  const inList = sql`merchant_id = ${context.principal.merchantId} and list = ${list} and ${within(time)}`;
  const matchingIn = (records: RawBuilder<unknown>) => sql`
    (select id from (${records}) as record where ${matching(sql`words`, terms)} order by id desc limit ${limit})`;
  const newestOf = (upTo: number) =>
    sql`select id, words from search_record where ${inList} order by id desc limit ${upTo}`;
  const newest = (upTo: number) => matchingIn(newestOf(upTo));
  const found = new Set(
    await idsIn(context)`${exact} ${fresh ? sql`${matchingIn(fresh)} union all` : sql``} ${newest(depth)}`,
  );
  if (found.size < limit && found.size * furtherDepth >= limit) {
    for (const id of await idsIn(context)`${newest(depth * furtherDepth)}`) found.add(id);
  }
  const indexed = found.size < limit ? await termsForIndex(context, terms, newestOf(depth)) : null;
  // Without `materialized`, Postgres may read the rows of all merchants in the order of their ids.
  const older = indexed
    ? await idsIn(context)`
        with found as materialized (
          select id, words from search_record where ${inList} and ${matching(sql`words`, indexed)}
        )
        select id from found where ${matching(sql`words`, terms)} order by id desc limit ${limit}`
    : [];
  return [...new Set([...found, ...older])].sort().reverse().slice(0, limit);
}

/**
 * Returns the rare terms, if there are any, because for a frequent term Postgres would read a large part of the index.
 * Returns null if the index could not narrow the search down.
 */
async function termsForIndex(
  context: Searching,
  terms: string[][],
  newest: RawBuilder<unknown>,
): Promise<string[][] | null> {
  const usable = indexedTerms(terms);
  if (usable === null || terms.length === 1) return usable;
  const counts = terms.map((term) => sql`count(*) filter (where ${matching(sql`words`, [term])})::int`);
  const [row] = await searchedRows<{ all: number; counts: number[] }>(context)`
    select count(*)::int as all, array[${sql.join(counts)}] as counts from (${newest}) as newest`;
  const rare = terms.filter((_, index) => (row?.counts[index] ?? 0) * frequentShare < (row?.all ?? 0));
  return indexedTerms(rare) ?? usable;
}

export async function findShortIds(
  context: Searching,
  kind: ShortKind,
  { wanted }: Sought,
  bounds: Bounds,
): Promise<string[]> {
  const terms = termsOf(wanted, { areDigitsAmounts: false });
  const { merchantId, mode } = context.principal;
  const where = sql`merchant_id = ${merchantId} and mode = ${mode}`;
  return idsIn(context)`
    select id from (${newestWords(shortKinds[kind], where, bounds.depth ?? usualDepth)}) as record
    where ${matching(sql`words`, terms)} order by id desc limit ${bounds.limit}`;
}

function within(time: TimeRange | undefined): RawBuilder<unknown> {
  if (!time?.from && !time?.to) return sql`true`;
  const { firstId, lastId } = idsOf(time.from, time.to);
  return sql`id >= ${firstId} and id < ${lastId}`;
}

function idsIn(context: Searching) {
  return async (...statement: Parameters<ReturnType<typeof searchedRows<{ id: string }>>>) =>
    (await searchedRows<{ id: string }>(context)(...statement)).map(({ id }) => id);
}
