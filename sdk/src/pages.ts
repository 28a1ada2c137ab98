/**
 * Reads a list to its end. Each page begins after the last record of the previous page (`after`), so no record moves to
 * another page while the list grows.
 * See docs/decisions/sdk.md, "Iterating continues after the last record".
 */
import { ApiError } from './errors.ts';

export interface QueryOfList {
  limit?: number;
  offset?: number;
  after?: string;
  order?: 'asc' | 'desc';
  wait?: number;
}

export interface ListedAs {
  items: string;
  takesAfter: boolean;
  /** With `after`, a feed begins with the oldest record, unless the query has an `order`. */
  isFeed: boolean;
}

interface Reading {
  query: QueryOfList;
  ask: (query: QueryOfList) => Promise<object>;
}

export async function* pagesOf(listedAs: ListedAs, { query, ask }: Reading): AsyncGenerator<object, void, undefined> {
  const limit = query.limit ?? 100;
  const { offset, wait, ...filters } = query;
  // Later pages use `after`, which reverses a feed unless the query has an `order`.
  const others = listedAs.isFeed && !query.after ? { order: 'desc' as const, ...filters } : filters;
  let pageQuery: QueryOfList = { ...query, limit };
  for (;;) {
    const page = await ask(pageQuery);
    const records = recordsIn(page, listedAs);
    if (records.length > 0) yield page;

    const after = records.at(-1)?.id;
    const { total } = page as { total?: unknown };
    const isOver = typeof total === 'number' && total <= (pageQuery.offset ?? 0) + records.length;
    // The iteration stops when a server returns the same page again, because otherwise it would never end.
    const isStuck = typeof after !== 'string' || after === pageQuery.after;
    if (isOver || isStuck || records.length < limit || !listedAs.takesAfter) return;
    pageQuery = { ...others, limit, after };
  }
}

export function recordsIn(page: object, { items }: Pick<ListedAs, 'items'>): { id?: unknown }[] {
  const records: unknown = (page as Record<string, unknown>)[items];
  if (Array.isArray(records)) return records;
  throw new ApiError(
    `The server answered with a page that has no list ${items}. Is baseUrl the address of a Tillhook server?`,
  );
}
