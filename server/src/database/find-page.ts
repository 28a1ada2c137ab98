import type { EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import { createdWithin } from '../kit/pagination.ts';
import type { Place } from './place-page.ts';

interface Asked<Entity> {
  /** All but the time. */
  where: FilterQuery<Entity>;
  place: Place;
  orderBy: QueryOrderMap<Entity>;
}

/**
 * One page of a long list. Which records are on it is asked for first, by id alone: an index that holds what is filtered by then
 * passes over the first `offset` of them without reading their rows.
 * See docs/decisions/figures.md, "A page of a long list is found by ids first".
 */
export async function findPage<Entity extends { id: string }>(
  { em }: Pick<Context, 'em'>,
  entity: EntityName<Entity>,
  { where, place: { time, limit, offset }, orderBy }: Asked<Entity>,
): Promise<Entity[]> {
  if (!time) return [];
  const placed = { ...(where as object), ...createdWithin(time) } as FilterQuery<Entity>;
  const options = { limit, offset, orderBy, fields: ['id'], disableIdentityMap: true };
  const found = await em.find(entity, placed, options as never);
  const id = found.map((each) => (each as Entity).id);
  return id.length === 0 ? [] : em.find(entity, { id } as FilterQuery<Entity>, { orderBy });
}
