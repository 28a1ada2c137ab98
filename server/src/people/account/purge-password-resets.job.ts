import type { Context, WriteContext } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { linkLifeMinutes } from './password-reset.service.ts';

const batch = 5000;

export function purgePasswordResets(context: Context): Promise<void> {
  return inBatches(context, purgeBatch);
}

async function purgeBatch(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from password_reset where ctid = any (array(
      select ctid from password_reset
      where created_at < now() - make_interval(mins => ${linkLifeMinutes})
      order by created_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
