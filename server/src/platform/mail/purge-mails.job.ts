import type { Context, WriteContext } from '../../context.ts';
import { run } from '../database/statement.ts';
import { inBatches } from '../database/transaction.ts';

const batch = 5000;

/** A mail that was refused is kept at least until its address has rested. */
export function purgeMails(context: Context): Promise<void> {
  return inBatches(context, purgeBatch);
}

async function purgeBatch(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from mail where ctid = any (array(
      select ctid from mail where ended_at < now() - make_interval(days => ${tx.config.retentionDays})
        and (rests_until < now() or rests_until is null)
      order by ended_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
