import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { purgeRows } from '../platform/database/purge-rows.ts';

const keptHours = 24;

export function purgeIdempotencyKeys(context: Context): Promise<void> {
  const where = sql`created_at < now() - make_interval(hours => ${keptHours})`;
  return purgeRows(context, { table: 'idempotency_key', by: 'created_at', where });
}
