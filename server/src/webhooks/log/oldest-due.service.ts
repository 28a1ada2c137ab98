import type { Context } from '../../context.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';

/**
 * How long the oldest due delivery has waited to be claimed, by the database's clock; 0 when none is due. Deliveries
 * that a worker holds are left out. The query reads past them in the index, and they are few.
 */
export async function oldestDueSeconds(context: Context): Promise<number> {
  const [oldest] = await rowsOutsideTransaction<{ seconds: number | null }>(context)`
    select extract(epoch from now() - due_at)::float8 as seconds from pending_delivery
    where due_at <= now() and (held_until is null or held_until <= now()) order by due_at limit 1`;
  return Math.max(0, oldest?.seconds ?? 0);
}
