import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { completeDueRotations } from './secret-rotation.service.ts';

/**
 * Removes secrets that no longer sign. Two processes may run this job at the same time: each process skips the rows
 * that the other process has locked.
 */
export function completeRotations(context: Context): Promise<void> {
  return inBatches(context, completeDueRotations);
}
