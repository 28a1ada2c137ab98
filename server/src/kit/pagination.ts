import type { TimeRange } from './hours.ts';
import { idsOf } from './ids.ts';

export type Order = 'asc' | 'desc';

/** At most `limit` records, after the first `offset` records or after the record with the id `after`. */
export interface Page {
  limit: number;
  offset: number;
  order?: Order | undefined;
  after?: string | undefined;
}

export interface Paged<Record> {
  records: Record[];
  /** The number of matching records on all pages together. With `after`, the count stops at `limit` + 1. */
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

/** The validator has already filled in the defaults of the contract, which the types do not express. */
export function pageOf({ limit = 20, offset = 0, order, after }: PageQuery): Page {
  return { limit, offset, order, after };
}

export function timeOf({ from, to }: PageQuery): { from?: Date; to?: Date } {
  return { ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) };
}

export function createdBetween(query: PageQuery): { createdAt?: { $gte?: Date; $lt?: Date } } {
  const { from, to } = timeOf(query);
  return from || to ? { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}

/** With a range of ids in the condition, Postgres can use the index of ids. */
export function createdWithin({ from, to }: TimeRange) {
  if (!from && !to) return {};
  const { firstId, lastId } = idsOf(from, to);
  return {
    id: { $gte: firstId, $lt: lastId },
    createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) },
  };
}
