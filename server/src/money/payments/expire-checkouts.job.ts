import { type Context, type EventOwner, withFreshEntityManager } from '../../context.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';
import { checkAttempt } from './ask-processor.ts';
import { expireDuePayments } from './checkout.service.ts';
import { batchSize, claimOpenAttempts } from './claim-attempts.service.ts';

/** Ends the checkouts that have expired. Two processes that run this at the same moment skip each other's locked rows. */
export function expireCheckouts(context: Context): Promise<void> {
  return inBatches(context, (tx) => expireDuePayments(tx));
}

/**
 * Ends the owner's checkouts that have expired, without waiting for the schedule. Those whose customer is at a 3-D Secure
 * step are ended by asking the processor. Begins no batch after the end time, and leaves the rest to the schedule.
 */
export async function expireCheckoutsNow(context: Context, owner: EventOwner, endMs: number): Promise<void> {
  for (let isMore = true; isMore && performance.now() < endMs; ) {
    isMore = await inTransaction(withFreshEntityManager(context), (tx) => expireDuePayments(tx, owner));
  }
  for (let isMore = true; isMore && performance.now() < endMs; ) {
    const attempts = await inTransaction(withFreshEntityManager(context), (tx) => claimOpenAttempts(tx, owner));
    await Promise.all(attempts.map((id) => checkAttempt(withFreshEntityManager(context), id)));
    isMore = attempts.length === batchSize;
  }
}
