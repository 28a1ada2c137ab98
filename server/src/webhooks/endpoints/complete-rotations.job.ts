import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { completeDueRotations } from './secret-rotation.service.ts';

/**
 * The job `settle-rotations`. Two processes may run this job at the same time: each skips the rows that the other
 * process has locked.
 */
export function completeRotations(context: Context): Promise<void> {
  return inBatches(context, completeDueRotations);
}
