import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { completeDueRotations } from './secret-rotation.service.ts';

/**
 * Removes secrets that no longer sign. Two processes may run this job at the same time: each skips the other's rows.
 */
export function completeRotations(context: Context): Promise<void> {
  return inBatches(context, completeDueRotations);
}
