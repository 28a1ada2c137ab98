import { type Context, ofItsOwn } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { expireDuePayments } from './checkout.service.ts';

/** Ends the checkouts whose time ran out. Two that run at once skip each other's rows. */
export async function expireCheckouts(context: Context): Promise<void> {
  // An entity manager for each batch: one for all would carry every payment of the earlier ones along.
  while (await inTransaction(ofItsOwn(context), expireDuePayments)) {
    // One transaction for each batch, until a batch is not full.
  }
}
