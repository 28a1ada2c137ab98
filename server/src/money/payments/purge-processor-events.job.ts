import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { purgeOldEvents } from './processor-events.service.ts';

/**
 * Choice: processor events are kept as long as our own events, though processors repeat an event for a few days only.
 */
export function purgeProcessorEvents(context: Context): Promise<void> {
  return inBatches(context, purgeOldEvents);
}
