import type { Context, WriteContext } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';
import { inBatches } from '../../platform/database/transaction.ts';

const batch = 5000;

/** Choice: ids of processor events are kept as long as our events, although processors resend for only a few days. */
export function purgeProcessorEvents(context: Context): Promise<void> {
  return inBatches(context, purgeBatch);
}

async function purgeBatch(tx: WriteContext): Promise<boolean> {
  const purged = await run(tx)`
    delete from processor_event where ctid = any (array(
      select ctid from processor_event where received_at < now() - make_interval(days => ${tx.config.retentionDays})
      order by received_at limit ${batch} for update skip locked))`;
  return purged === batch;
}
