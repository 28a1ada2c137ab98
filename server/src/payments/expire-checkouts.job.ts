import type { Context } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { expireDuePayments } from './checkout.service.ts';

/** Ends the checkouts whose time ran out. Two that run at once skip each other's rows. */
export async function expireCheckouts(context: Context): Promise<void> {
  while (await inTransaction(context, expireDuePayments)) {
    // One transaction for each batch, until a batch is not full.
  }
}
