import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import { rowsOf, run } from '../platform/database/statement.ts';

const batch = 2_000;

interface Records {
  /** The name of the progress in the table `search_progress`. */
  kind: string;
  table: RawBuilder<unknown>;
  /** Only records with a lower id are taken. */
  end: string;
}

/**
 * Takes the next records in the order of their ids: `id > after` and `id <= last`. Returns false when all records before
 * `end` are taken, or another process takes them.
 */
export async function takeNext(
  context: WriteContext,
  { kind, table, end }: Records,
  take: (ids: { after: string; last: string }) => Promise<unknown>,
): Promise<boolean> {
  const [reached] = await rowsOf<{ until: string }>(context)`
    select until from search_progress where kind = ${kind} for update skip locked`;
  if (!reached) return false;
  const after = reached.until;
  const [next] = await rowsOf<{ last: string | null; records: number }>(context)`
    select max(id::text) as last, count(*)::int as records from (
      select id from ${table} where id > ${after} and id < ${end} order by id limit ${batch}
    ) as next`;
  if (!next?.last) return false;
  await take({ after, last: next.last });
  await run(context)`update search_progress set until = ${next.last} where kind = ${kind}`;
  return next.records === batch;
}

/** The condition for the records that `takeNext` has taken. */
export const idsBetween = ({ after, last }: { after: string; last: string }): RawBuilder<unknown> =>
  sql`id > ${after} and id <= ${last}`;
