import type { EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../kit/errors.ts';
import { createdWithin, type Order, type Page, type Paged } from '../../../kit/pagination.ts';
import type { Place } from './place-page.ts';

type ReadContext = Pick<Context, 'em'>;

interface PageRequest<Entity> {
  owner: FilterQuery<Entity>;
  where: FilterQuery<Entity>;
  place: Place;
  orderBy: QueryOrderMap<Entity>;
}

// See docs/decisions/figures.md, "A page of a long list is found by ids first".
export async function findPage<Entity extends { id: string }>(
  { em }: ReadContext,
  entity: EntityName<Entity>,
  { owner, where, place: { time, limit, offset }, orderBy }: PageRequest<Entity>,
): Promise<Entity[]> {
  if (!time) return [];
  const placed = { ...(where as object), ...createdWithin(time) } as FilterQuery<Entity>;
  const options = { limit, offset, orderBy, fields: ['id'], disableIdentityMap: true };
  const found = await em.find(entity, placed, options as never);
  const id = found.map((record) => (record as Entity).id);
  return id.length === 0 ? [] : em.find(entity, { $and: [owner, { id }] } as FilterQuery<Entity>, { orderBy });
}

export interface PageAfter extends Pick<Page, 'limit'> {
  after: string;
  order: Order;
}

interface AfterRequest<Entity> {
  owner: FilterQuery<Entity>;
  where: FilterQuery<Entity>;
  page: PageAfter;
}

/**
 * Searches for one record more than the page has, to find whether more records follow.
 * See docs/decisions/contract.md, "A list continues after an id".
 */
export async function findPageAfter<Entity extends { id: string }>(
  { em }: ReadContext,
  entity: EntityName<Entity>,
  { owner, where, page: { after, order, limit } }: AfterRequest<Entity>,
): Promise<Paged<Entity>> {
  const known = { $and: [owner, { id: after }] } as FilterQuery<Entity>;
  if ((await em.count(entity, known)) === 0) throw unknownAfter();
  const beyond = { $and: [where, { id: order === 'asc' ? { $gt: after } : { $lt: after } }] } as FilterQuery<Entity>;
  const orderBy = { id: order } as QueryOrderMap<Entity>;
  const options = { limit: limit + 1, orderBy, fields: ['id'], disableIdentityMap: true };
  const found = await em.find(entity, beyond, options as never);
  const id = found.slice(0, limit).map((record) => (record as Entity).id);
  const named = { $and: [owner, { id }] } as FilterQuery<Entity>;
  const records = id.length === 0 ? [] : await em.find(entity, named, { orderBy });
  return { records, total: found.length };
}

export function unknownAfter() {
  return invalid('invalid_parameter', 'after', 'is the id of none of your records in this list and mode');
}

interface ListRequest<Entity> extends Omit<AfterRequest<Entity>, 'page'> {
  page: Page;
  usualOrder?: Order;
}

/** Only for lists so short that Postgres can count their records one by one. */
export async function listPage<Entity extends { id: string }>(
  context: ReadContext,
  entity: EntityName<Entity>,
  { owner, where, page, usualOrder = 'desc' }: ListRequest<Entity>,
): Promise<Paged<Entity>> {
  const { limit, offset, order = usualOrder, after } = page;
  if (after) return findPageAfter(context, entity, { owner, where, page: { after, order, limit } });
  const options = { limit, offset, orderBy: { id: order } as QueryOrderMap<Entity> };
  const [records, total] = await context.em.findAndCount(entity, where, options);
  return { records: records as Entity[], total };
}
