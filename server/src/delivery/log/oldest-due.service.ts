import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { inOwnStatement } from '../../database/own-statement.ts';

/**
 * How long the oldest due delivery has waited to be claimed, by the database's clock; 0 when none is due. What is held is not
 * asked after: all before it in the index is what workers have in their hands, which is not much.
 */
export function oldestDueSeconds(context: Context): Promise<number> {
  return inOwnStatement(context, async ({ em }) => {
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from now() - due_at)::float8 as seconds from owed_delivery
      where due_at <= now() and (held_until is null or held_until <= now()) order by due_at limit 1`.execute(
      em.getKysely(),
    );
    return Math.max(0, rows[0]?.seconds ?? 0);
  });
}
