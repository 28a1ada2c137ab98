import type { Context } from '../context.ts';
import { inBatches } from '../database/transaction.ts';
import { settleDueRotations } from './secret-rotation.service.ts';

/** Forgets secrets that sign nothing any more. Two that run at once skip each other's rows. */
export function settleRotations(context: Context): Promise<void> {
  return inBatches(context, settleDueRotations);
}
