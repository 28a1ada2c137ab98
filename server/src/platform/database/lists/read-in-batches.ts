import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Context } from '../../../context.ts';

/** Choice: a batch of this size is some hundred kilobytes of text, and its statement takes some ten milliseconds. */
const batchSize = 1_000;

interface BatchRequest<Entity, Key extends keyof Entity> {
  where: FilterQuery<Entity>;
  /** The records are ordered by this column, the highest value first. Its values must be unique. */
  by: Key;
  populate?: readonly string[];
}

/** Between two batches no connection is used, so slow readers hold no connection. */
export async function* readInBatches<Entity extends object, Key extends keyof Entity & string>(
  { em }: Pick<Context, 'em'>,
  entity: EntityName<Entity>,
  { where, by, populate }: BatchRequest<Entity, Key>,
): AsyncIterableIterator<Entity[]> {
  for (let last: Entity[Key] | undefined; ; ) {
    const below = last === undefined ? {} : { [by]: { $lt: last } };
    const records = await em.find(
      entity,
      { $and: [where, below] } as never,
      { limit: batchSize, orderBy: { [by]: 'desc' }, populate, disableIdentityMap: true } as never,
    );
    if (records.length > 0) yield records as Entity[];
    if (records.length < batchSize) return;
    last = (records.at(-1) as Entity)[by];
  }
}
