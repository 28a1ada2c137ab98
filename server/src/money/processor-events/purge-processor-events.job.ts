import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { purgeRows } from '../../platform/database/purge-rows.ts';

/** Choice: ids of processor events are kept as long as our events, although processors resend for only a few days. */
export function purgeProcessorEvents(context: Context): Promise<void> {
  const where = sql`received_at < now() - make_interval(days => ${context.config.retentionDays})`;
  return purgeRows(context, { table: 'processor_event', by: 'received_at', where });
}
