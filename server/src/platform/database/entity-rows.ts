/**
 * The ORM does not know an entity that was read here, so a transaction that changes the entity must save it with a
 * statement.
 * See docs/decisions/money.md, "A payment that is paid is read and saved by hand".
 */
import type { EntityClass, EntityProperty } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { CoreContext } from '../../context.ts';

export interface EntityRows<Entity> {
  /**
   * The name of each column begins with the name of its table, so that a row may have the columns of several entities.
   */
  columns: RawBuilder<unknown>;
  read(row: Record<string, unknown>): Entity;
  /** Undefined values are left out of the condition. */
  matches(values: Partial<Entity>): RawBuilder<unknown>;
}

/** The columns and functions of each entity are cached, because making them costs more than reading a row. */
const made = new Map<EntityClass<object>, EntityRows<never>>();

/** The entity must have a constructor without parameters, and no columns of other tables. */
export function entityRowsOf<Entity extends object>(
  context: Pick<CoreContext, 'em'>,
  entity: EntityClass<Entity>,
): EntityRows<Entity> {
  const known = made.get(entity) as EntityRows<Entity> | undefined;
  const rows = known ?? makeRows(context, entity);
  made.set(entity, rows as EntityRows<never>);
  return rows;
}

function makeRows<Entity extends object>(
  { em }: Pick<CoreContext, 'em'>,
  entity: EntityClass<Entity>,
): EntityRows<Entity> {
  const { tableName, props } = em.getMetadata(entity);
  const fields = props.map((property) => fieldOf(property, tableName));
  const columnOf = new Map(fields.map(({ name, column }) => [name, sql.raw(column)]));
  const Class = entity as new () => Entity;
  return {
    columns: sql.raw(fields.map(({ column, alias }) => `${column} as "${alias}"`).join(', ')),
    read(row) {
      const read = new Class() as Record<string, unknown>;
      for (const { name, alias, convert } of fields) read[name] = convert(row[alias]);
      return read as Entity;
    },
    matches(values) {
      const given = Object.entries(values).filter(([, value]) => value !== undefined);
      const conditions = given.map(([name, value]) => sql`${columnOf.get(name)} = ${value}`);
      return sql.join(conditions, sql` and `);
    },
  };
}

function fieldOf({ name, fieldNames: [column], runtimeType }: EntityProperty, table: string) {
  const convert = conversions[runtimeType] ?? asItIs;
  return { name: String(name), column: `${table}.${column}`, alias: `${table}_${String(name)}`, convert };
}

const asItIs = (value: unknown) => value;

/** The ORM configures the driver to return bigints and times as text. */
const conversions: Partial<Record<string, (value: unknown) => unknown>> = {
  bigint: (value) => (value === null ? null : BigInt(value as string)),
  Date: (value) => (value === null ? null : new Date(value as string)),
};
