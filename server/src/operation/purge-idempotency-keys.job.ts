import type { Context, WriteContext } from '../context.ts';
import { run } from '../database/statement.ts';
import { inTransaction } from '../database/transaction.ts';

const keptHours = 24;
const batch = 5000;

/** Forgets keys, and the answers kept for them, after a day. */
export async function purgeIdempotencyKeys(context: Context): Promise<void> {
  while (await inTransaction(context, purgeBatch)) {
    // One transaction for each batch, until a batch is not full.
  }
}

async function purgeBatch(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from idempotency_key where ctid = any (array(
      select ctid from idempotency_key
      where created_at < now() - make_interval(hours => ${keptHours})
      order by created_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
