import type { Time } from './hours.ts';
import { idsOf } from './ids.ts';

/** One page of a list: at most `limit` records after the first `offset`. */
export interface Page {
  limit: number;
  offset: number;
}

export interface Paged<Record> {
  records: Record[];
  /** How many match, on all pages together. */
  total: number;
}

interface PageQuery {
  limit?: number;
  offset?: number;
  from?: string;
  to?: string;
}

/** The validator has already filled in the contract's defaults; the types do not know that. */
export function pageOf(query: PageQuery): Page {
  return { limit: query.limit ?? 20, offset: query.offset ?? 0 };
}

/** `from` is inclusive and `to` exclusive, as the contract says. */
export function timeOf({ from, to }: PageQuery): { from?: Date; to?: Date } {
  return { ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) };
}

export function createdBetween(query: PageQuery): { createdAt?: { $gte?: Date; $lt?: Date } } {
  const { from, to } = timeOf(query);
  return from || to ? { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}

/** The same, of rows whose ids are in the order of their creation: indexes of ids then begin and end with the time. */
export function createdWithin({ from, to }: Time) {
  if (!from && !to) return {};
  const { firstId, lastId } = idsOf(from, to);
  return {
    id: { $gte: firstId, $lt: lastId },
    createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) },
  };
}
