/**
 * Reads a list to its end. The contract pages by `offset`, and records would shift if the list grows meanwhile. So the
 * newest record of the first page becomes the end of the list (`to`). A record that still comes twice by a race is
 * recognised by its id.
 * See docs/decisions/sdk.md, "Iterating ends at the newest record of the first page".
 */
import { ApiError } from './errors.ts';

export interface QueryOfList {
  limit?: number;
  offset?: number;
  from?: string;
  to?: string;
  order?: 'asc' | 'desc';
}

/** The property that has a list's records, and whether the list takes `from` and `to`. */
export interface ListedAs {
  items: string;
  isTimed: boolean;
}

interface Listed {
  id?: unknown;
  createdAt?: unknown;
  timestamp?: unknown;
}

interface Reading {
  query: QueryOfList;
  ask: (query: QueryOfList) => Promise<object>;
}

/** The largest `offset` of the contract. After it, reading continues from the time of the last record. */
const maxOffset = 100_000;

export async function* pagesOf(listedAs: ListedAs, { query, ask }: Reading): AsyncGenerator<object, void, undefined> {
  const limit = query.limit ?? 100;
  let position: Position = { ...query, limit, offset: query.offset ?? 0 };
  const seen = new Set<unknown>();
  for (let isFirstPage = true; ; isFirstPage = false) {
    const page = await ask(position);
    const records = recordsIn(page, listedAs);
    const fresh = records.filter(({ id }) => id === undefined || !seen.has(id));
    if (fresh.length > 0) yield { ...page, [listedAs.items]: fresh };

    const offset = position.offset + records.length;
    const { total } = page as { total?: unknown };
    // If there is no total, a page without new records is the end, because a server could answer the same page for
    // ever.
    const isOver = typeof total === 'number' ? offset >= total : fresh.length === 0;
    if (isOver || records.length < limit) return;
    position = { ...position, offset };
    if (listedAs.isTimed) position = nextPosition(position, { records, isFirstPage });
    remember(seen, records);
  }
}

/** Remembers only the last ids, because a record that comes twice comes soon after the first time. */
function remember(seen: Set<unknown>, records: Listed[]): void {
  for (const { id } of records) seen.add(id);
  for (const id of seen) {
    if (seen.size <= 10_000) return;
    seen.delete(id);
  }
}

/** Returns the records of a page. */
export function recordsIn(page: object, { items }: ListedAs): Listed[] {
  const records: unknown = (page as Record<string, unknown>)[items];
  if (Array.isArray(records)) return records;
  throw new ApiError(
    `The server answered with a page that has no list ${items}. Is baseUrl the address of a Tillhook server?`,
  );
}

type Position = QueryOfList & { offset: number };

function nextPosition(
  position: Position,
  { records, isFirstPage }: { records: Listed[]; isFirstPage: boolean },
): Position {
  const isOldestFirst = position.order === 'asc';
  if (position.offset > maxOffset) {
    const last = momentOf(records.at(-1));
    if (last === undefined) return position;
    return { ...position, ...(isOldestFirst ? { from: iso(last.at) } : { to: iso(last.before) }), offset: 0 };
  }
  // With the oldest first, new records come at the end of the list and shift nothing.
  if (isOldestFirst || !isFirstPage) return position;
  const first = momentOf(records[0]);
  if (first === undefined || (position.to !== undefined && Date.parse(position.to) <= first.before)) return position;
  return { ...position, to: iso(first.before) };
}

/**
 * The time of a record, and a time shortly after it. A record without `createdAt` has a `timestamp` or an id, a UUID of
 * version 7, whose times are a little earlier than the record. A record that comes twice because of that is recognised
 * by its id.
 */
function momentOf({ createdAt, timestamp, id }: Listed = {}): { at: number; before: number } | undefined {
  if (typeof createdAt === 'string') return { at: Date.parse(createdAt), before: Date.parse(createdAt) + 1 };
  const moments = [Date.parse(String(timestamp)), Number.parseInt(String(id).replace('-', '').slice(0, 12), 16)];
  const known = moments.filter(Number.isSafeInteger);
  return known.length > 0 ? { at: Math.min(...known), before: Math.max(...known) + 1000 } : undefined;
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}
