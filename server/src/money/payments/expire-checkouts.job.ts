import { type Context, type EventOwner, withFreshEntityManager } from '../../context.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';
import { checkAttempt } from './ask-processor.ts';
import { expireDuePayments } from './checkout.service.ts';
import { batchSize, claimOpenAttempts } from './claim-attempts.service.ts';

/** Ends the checkouts that have expired. A process that runs this job skips rows that another process has locked. */
export function expireCheckouts(context: Context): Promise<void> {
  return inBatches(context, (tx) => expireDuePayments(tx));
}

/**
 * Ends the owner's checkouts that have expired, without waiting for the schedule. For a checkout whose customer is at
 * a 3-D Secure step, asks the processor to cancel the open attempt. Starts no batch after `endMs`, a time of
 * `performance.now()`; the schedule ends the remaining checkouts.
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
