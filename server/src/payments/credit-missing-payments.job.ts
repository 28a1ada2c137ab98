import { type Context, ofItsOwn } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { creditIfMissing, findMissingPayments } from './missing-payments.service.ts';

/** Credits what a process of a version without a ledger completed beside this one, while the one replaces the other. */
export async function creditMissingPayments(context: Context, { hours }: { hours: number }): Promise<void> {
  const missing = await inTransaction(ofItsOwn(context), (writing) => findMissingPayments(writing, hours));
  for (const paymentId of missing) {
    try {
      const isCredited = await inTransaction(ofItsOwn(context), (writing) => creditIfMissing(writing, paymentId));
      if (isCredited) context.log.warn({ paymentId }, 'a completed payment was missing from the ledger');
    } catch (error) {
      // The others are not to wait for this one.
      context.log.error({ err: error, paymentId }, 'a completed payment cannot be credited');
    }
  }
}
