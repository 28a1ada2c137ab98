// See docs/decisions/process.md, "Secrets are sealed again in batches of locked rows".
import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { rowsOf, run } from './statement.ts';

/** The strings of a sealed column are SQL of our own, and never input. */
export interface SealedColumn {
  holds: string;
  table: string;
  key: Readonly<Record<string, 'uuid' | 'text'>>;
  /** SQL for the id of the owner for whom the value is sealed. */
  owner: string;
  column: string;
  path?: readonly string[];
}

export interface KeyCount {
  keyId: string;
  count: number;
}

/** A value whose master key is missing or does not decrypt the value. */
export interface UnopenedValue {
  table: string;
  column: string;
  row: string;
  keyId: string;
}

export interface Batch {
  sealed: number;
  unopened: UnopenedValue[];
  /** Null when no row is left. */
  last: string[] | null;
}

/**
 * Choice: a small batch, because its rows stay locked until the batch is written, which takes some ten milliseconds.
 */
const batchSize = 200;
export const maxNamed = 20;

export async function countByKey(tx: WriteContext, column: SealedColumn): Promise<KeyCount[]> {
  const { table, sealed, keyId } = sqlOf(column);
  return rowsOf<KeyCount>(tx)`
    select ${keyId} as "keyId", count(*)::int as count from ${table} where ${sealed} is not null
    group by 1 order by 1`;
}

export async function listUnopened(tx: WriteContext, column: SealedColumn): Promise<UnopenedValue[]> {
  const { table, key, sealed, keyId } = sqlOf(column);
  const rows = await rowsOf<{ row: string[]; keyId: string }>(tx)`
    select array[${texts(key)}] as row, ${keyId} as "keyId" from ${table}
    where ${sealed} is not null and ${keyId} <> all(${[...tx.sealer.keyIds]}) order by ${sql.join(key)} limit ${maxNamed}`;
  return rows.map((each) => unopened(column, each));
}

export async function reencryptBatch(tx: WriteContext, column: SealedColumn, after: string[] | null): Promise<Batch> {
  const { table, key, types, owner, sealed, keyId, set } = sqlOf(column);
  const [, ...older] = tx.sealer.keyIds;
  const beyond = after ? sql`and (${sql.join(key)}) > (${typed(after, types)})` : sql``;
  const rows = await rowsOf<{ row: string[]; owner: string; sealed: string; keyId: string }>(tx)`
    select array[${texts(key)}] as row, ${owner} as owner, ${sealed} as sealed, ${keyId} as "keyId" from ${table}
    where ${sealed} is not null and ${keyId} = any(${older}) ${beyond}
    order by ${sql.join(key)} limit ${batchSize} for no key update skip locked`;
  const fresh = rows.map((each) => ({ ...each, fresh: sealedAgain(tx, each) }));
  const good = fresh.filter((each) => each.fresh !== null);
  if (good.length > 0) {
    const columns = types.map((type, at) => sql`${good.map(({ row }) => row[at])}::${sql.raw(type)}[]`);
    const names = key.map((_, at) => sql.raw(`key${at}`));
    await run(tx)`
      update ${table} set ${set}
      from unnest(${sql.join(columns)}, ${good.map((each) => each.fresh)}::text[]) as fresh(${sql.join(names)}, sealed)
      where (${sql.join(key.map((each) => sql`${table}.${each}`))}) = (${sql.join(names.map((each) => sql`fresh.${each}`))})`;
  }
  return {
    sealed: good.length,
    unopened: fresh.flatMap((each) => (each.fresh === null ? [unopened(column, each)] : [])),
    last: rows.at(-1)?.row ?? null,
  };
}

/** Null for a value that was changed, or copied from another row: its key does not decrypt it. */
function sealedAgain({ sealer }: WriteContext, { sealed, owner }: { sealed: string; owner: string }): string | null {
  try {
    return sealer.seal(sealer.open(sealed, owner), owner);
  } catch {
    return null;
  }
}

const unopened = ({ table, column }: SealedColumn, { row, keyId }: { row: string[]; keyId: string }) => ({
  table,
  column,
  row: row.join('/'),
  keyId,
});

const texts = (key: RawBuilder<unknown>[]) => sql.join(key.map((each) => sql`${each}::text`));

const typed = (values: string[], types: string[]) =>
  sql.join(values.map((value, at) => sql`${value}::${sql.raw(types[at] ?? 'text')}`));

function sqlOf({ table, key, owner, column, path }: SealedColumn) {
  const names = Object.keys(key);
  const place = path && `'{${path.join(',')}}'`;
  const sealed = place ? `${column} #>> ${place}` : column;
  return {
    table: sql.raw(table),
    key: names.map((name) => sql.raw(name)),
    types: Object.values(key),
    owner: sql.raw(owner),
    sealed: sql.raw(`(${sealed})`),
    keyId: sql.raw(`split_part(${sealed}, '.', 2)`),
    set: sql.raw(
      place ? `${column} = jsonb_set(${column}, ${place}, to_jsonb(fresh.sealed))` : `${column} = fresh.sealed`,
    ),
  };
}
