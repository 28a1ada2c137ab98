import type { Context, WriteContext } from '../context.ts';
import { run } from '../platform/database/statement.ts';
import { inBatches } from '../platform/database/transaction.ts';

const keptHours = 24;
const batch = 5000;

export function purgeIdempotencyKeys(context: Context): Promise<void> {
  return inBatches(context, purgeBatch);
}

async function purgeBatch(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from idempotency_key where ctid = any (array(
      select ctid from idempotency_key
      where created_at < now() - make_interval(hours => ${keptHours})
      order by created_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
