/**
 * Walks a list to its end. The contract pages by `offset`, under which a list that grows would shift: so the first page's
 * newest record becomes the end of the list (`to`), and what still slips in by a race is told by its id.
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

/** In which property a list's records stand, and whether it takes `from` and `to`. */
export interface ListedAs {
  items: string;
  isTimed: boolean;
}

interface Listed {
  id?: unknown;
  createdAt?: unknown;
  timestamp?: unknown;
}

interface Walk {
  query: QueryOfList;
  ask: (query: QueryOfList) => Promise<object>;
}

/** As far as the contract lets `offset` go; beyond it the walk begins anew where it stands. */
const maxOffset = 100_000;

export async function* pagesOf(listedAs: ListedAs, { query, ask }: Walk): AsyncGenerator<object, void, undefined> {
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
    // Without a total, a server that answers the same again and again would have no end.
    const isOver = typeof total === 'number' ? offset >= total : fresh.length === 0;
    if (isOver || records.length < limit) return;
    position = { ...position, offset };
    if (listedAs.isTimed) position = steadied(position, { records, isFirstPage });
    remember(seen, records);
  }
}

/** The last of them: what comes twice comes soon. */
function remember(seen: Set<unknown>, records: Listed[]): void {
  for (const { id } of records) seen.add(id);
  for (const id of seen) {
    if (seen.size <= 10_000) return;
    seen.delete(id);
  }
}

/** The records of a page. */
export function recordsIn(page: object, { items }: ListedAs): Listed[] {
  const records: unknown = (page as Record<string, unknown>)[items];
  if (Array.isArray(records)) return records;
  throw new ApiError(
    `The server answered with a page that has no list ${items}; is baseUrl the address of a Tillhook?`,
  );
}

type Position = QueryOfList & { offset: number };

function steadied(position: Position, { records, isFirstPage }: { records: Listed[]; isFirstPage: boolean }): Position {
  const isOldestFirst = position.order === 'asc';
  if (position.offset > maxOffset) {
    const last = momentOf(records.at(-1));
    if (last === undefined) return position;
    return { ...position, ...(isOldestFirst ? { from: iso(last.at) } : { to: iso(last.before) }), offset: 0 };
  }
  // Oldest first, a list grows behind the walk and shifts nothing.
  if (isOldestFirst || !isFirstPage) return position;
  const first = momentOf(records[0]);
  if (first === undefined || (position.to !== undefined && Date.parse(position.to) <= first.before)) return position;
  return { ...position, to: iso(first.before) };
}

/**
 * When a record was made, and a moment by which it was. Where there is no `createdAt`, its `timestamp` and its id, a UUID of
 * version 7, tell nearly: they are made a little before the record. What comes in that while is told by its id.
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
