import type { Context } from '../context.ts';
import { inBatches } from '../database/transaction.ts';
import { purgeOldEvents } from './processor-events.service.ts';

/** Choice: kept as long as our own events are, though no processor repeats one for more than days. */
export function purgeProcessorEvents(context: Context): Promise<void> {
  return inBatches(context, purgeOldEvents);
}
