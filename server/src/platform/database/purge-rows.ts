import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { run } from './statement.ts';
import { inBatches } from './transaction.ts';

const batch = 5000;

interface Purge {
  table: string;
  /** The column by which the oldest rows are found. An index has to begin with this column. */
  by: string;
  where: RawBuilder<unknown>;
}

/** Deletes rows in batches, so that no transaction locks many rows. Two processes may purge one table at the same time. */
export function purgeRows(context: Context, { table, by, where }: Purge): Promise<void> {
  return inBatches(context, async (tx) => {
    const purged = await run(tx)`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${where}
        order by ${sql.ref(by)} limit ${batch} for update skip locked))`;
    return purged === batch;
  });
}
