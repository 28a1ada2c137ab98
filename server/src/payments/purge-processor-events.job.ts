import { type Context, ofItsOwn } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { purgeOldEvents } from './processor-events.service.ts';

/** Choice: kept as long as our own events are, though no processor repeats one for more than days. */
export async function purgeProcessorEvents(context: Context): Promise<void> {
  while (await inTransaction(ofItsOwn(context), purgeOldEvents)) {
    // One transaction for each batch, until a batch is not full.
  }
}
