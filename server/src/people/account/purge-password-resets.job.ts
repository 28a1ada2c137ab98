import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { purgeRows } from '../../platform/database/purge-rows.ts';
import { linkLifeMinutes } from './password-reset.service.ts';

export function purgePasswordResets(context: Context): Promise<void> {
  const where = sql`created_at < now() - make_interval(mins => ${linkLifeMinutes})`;
  return purgeRows(context, { table: 'password_reset', by: 'created_at', where });
}
