import type { EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import type { Page } from '../kit/pagination.ts';

interface Asked<Entity> extends Page {
  where: FilterQuery<Entity>;
  orderBy: QueryOrderMap<Entity>;
}

/**
 * One page of a long list. Which records are on it is asked for first, by id alone: an index that holds what is filtered by then
 * passes over the first `offset` of them without reading their rows.
 */
export async function findPage<Entity extends { id: string }>(
  { em }: Pick<Context, 'em'>,
  entity: EntityName<Entity>,
  { where, orderBy, ...page }: Asked<Entity>,
): Promise<Entity[]> {
  const found = await em.find(entity, where, { ...page, orderBy, fields: ['id'], disableIdentityMap: true } as never);
  const id = found.map((each) => (each as Entity).id);
  return id.length === 0 ? [] : em.find(entity, { id } as FilterQuery<Entity>, { orderBy });
}
