import type { TimeRange } from './hours.ts';
import { idsOf } from './ids.ts';

export type Order = 'asc' | 'desc';

/** One page of a list: at most `limit` records after the first `offset`, or after the record with the id `after`. */
export interface Page {
  limit: number;
  offset: number;
  /** The order of creation. Undefined for the usual order of the list. */
  order?: Order | undefined;
  after?: string | undefined;
}

export interface Paged<Record> {
  records: Record[];
  /** The number of matching records on all pages together. With `after`, it counts to `limit` + 1 and no further. */
  total: number;
}

interface PageQuery {
  limit?: number;
  offset?: number;
  order?: Order;
  after?: string;
  from?: string;
  to?: string;
}

/** The validator has already filled in the defaults of the contract, but the types do not say so. */
export function pageOf({ limit = 20, offset = 0, order, after }: PageQuery): Page {
  return { limit, offset, order, after };
}

/** `from` is inclusive and `to` exclusive, as the contract says. */
export function timeOf({ from, to }: PageQuery): { from?: Date; to?: Date } {
  return { ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) };
}

export function createdBetween(query: PageQuery): { createdAt?: { $gte?: Date; $lt?: Date } } {
  const { from, to } = timeOf(query);
  return from || to ? { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}

/** The same for tables whose ids are in the order of creation: a range of ids lets Postgres use the index of ids. */
export function createdWithin({ from, to }: TimeRange) {
  if (!from && !to) return {};
  const { firstId, lastId } = idsOf(from, to);
  return {
    id: { $gte: firstId, $lt: lastId },
    createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) },
  };
}
