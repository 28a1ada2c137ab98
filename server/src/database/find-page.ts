import type { EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import { createdWithin } from '../kit/pagination.ts';
import type { Place } from './place-page.ts';

interface PageRequest<Entity> {
  /** The conditions without the time. */
  where: FilterQuery<Entity>;
  place: Place;
  orderBy: QueryOrderMap<Entity>;
}

/**
 * Returns one page of a long list. The first query reads only the ids of its records: an index that contains the
 * filtered columns skips the first `offset` records without reading their rows. The second query reads the records.
 * See docs/decisions/figures.md, "A page of a long list is found by ids first".
 */
export async function findPage<Entity extends { id: string }>(
  { em }: Pick<Context, 'em'>,
  entity: EntityName<Entity>,
  { where, place: { time, limit, offset }, orderBy }: PageRequest<Entity>,
): Promise<Entity[]> {
  if (!time) return [];
  const placed = { ...(where as object), ...createdWithin(time) } as FilterQuery<Entity>;
  const options = { limit, offset, orderBy, fields: ['id'], disableIdentityMap: true };
  const found = await em.find(entity, placed, options as never);
  const id = found.map((record) => (record as Entity).id);
  return id.length === 0 ? [] : em.find(entity, { id } as FilterQuery<Entity>, { orderBy });
}
