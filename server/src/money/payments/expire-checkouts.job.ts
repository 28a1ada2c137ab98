import type { Context } from '../../context.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { expireDuePayments } from './checkout.service.ts';

/**
 * Ends the checkouts that have expired. Two processes that run this at the same moment skip each other's locked rows.
 */
export function expireCheckouts(context: Context): Promise<void> {
  return inBatches(context, (tx) => expireDuePayments(tx));
}
