import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { settleDueRotations } from './secret-rotation.service.ts';

/**
 * Removes secrets that no longer sign. Two processes that run this at the same moment skip each other's locked rows.
 */
export function settleRotations(context: Context): Promise<void> {
  return inBatches(context, settleDueRotations);
}
