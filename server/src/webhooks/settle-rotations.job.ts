import { type Context, ofItsOwn } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { settleDueRotations } from './secret-rotation.service.ts';

/** Forgets secrets that sign nothing any more. Two that run at once skip each other's rows. */
export async function settleRotations(context: Context): Promise<void> {
  while (await inTransaction(ofItsOwn(context), settleDueRotations)) {
    // One transaction for each batch, until a batch is not full.
  }
}
