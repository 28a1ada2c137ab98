import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { purgeRows } from '../database/purge-rows.ts';

/** A mail that was refused is kept at least until its address has rested. */
export function purgeMails(context: Context): Promise<void> {
  const where = sql`ended_at < now() - make_interval(days => ${context.config.retentionDays})
    and (rests_until < now() or rests_until is null)`;
  return purgeRows(context, { table: 'mail', by: 'ended_at', where });
}
