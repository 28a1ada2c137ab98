import type { Context } from '../context.ts';
import { inBatches } from '../database/transaction.ts';
import { expireDuePayments } from './checkout.service.ts';

/** Ends the checkouts whose time ran out. Two that run at once skip each other's rows. */
export function expireCheckouts(context: Context): Promise<void> {
  return inBatches(context, expireDuePayments);
}
