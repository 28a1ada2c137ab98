import { type Context, withFreshEntityManager } from '../../context.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { creditIfMissing, findMissingPayments } from './missing-payments.service.ts';

/**
 * Credits completed payments that the ledger does not have. During an upgrade, a process of the old version, which had
 * no ledger, may still complete payments while this version already runs.
 */
export async function creditMissingPayments(context: Context, { hours }: { hours: number }): Promise<void> {
  const missing = await inTransaction(withFreshEntityManager(context), (tx) => findMissingPayments(tx, hours));
  for (const paymentId of missing) {
    try {
      const isCredited = await inTransaction(withFreshEntityManager(context), (tx) => creditIfMissing(tx, paymentId));
      if (isCredited)
        context.log.warn({ paymentId }, 'A completed payment was missing from the ledger and is now credited');
    } catch (error) {
      // The other payments must still be credited.
      context.log.error({ err: error, paymentId }, 'A completed payment cannot be credited');
    }
  }
}
